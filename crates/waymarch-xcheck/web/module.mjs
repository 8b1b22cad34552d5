// Runs the check as a WebAssembly module: `input` is a line of arguments and the recordings; returns the output as text.
export async function runCheck(module, words, recordings) {
  const line = new TextEncoder().encode(words.join(' ') + '\n');
  const input = new Uint8Array(line.length + recordings.length);
  input.set(line);
  input.set(recordings, line.length);
  let next = 0;
  let output = new Uint8Array(1 << 20);
  let length = 0;
  const env = {
    get: () => (next < input.length ? input[next++] : -1),
    put: (byte) => {
      if (length === output.length) {
        const longer = new Uint8Array(2 * length);
        longer.set(output);
        output = longer;
      }
      output[length++] = byte;
    },
  };
  const text = () => new TextDecoder().decode(output.subarray(0, length));
  const { instance } = await WebAssembly.instantiate(module, { env });
  try {
    instance.exports.run();
  } catch (error) {
    return `${text()}TRAP ${error}\n`;
  }
  return text();
}
