// node node.mjs MODULE.wasm [ARGUMENT]… < RECORDINGS
import { readFileSync, writeFileSync } from 'node:fs';
import { runCheck } from './module.mjs';

const [file, ...words] = process.argv.slice(2);
writeFileSync(1, await runCheck(readFileSync(file), words, readFileSync(0)));
