//! The twin of maps with decks and links: Dijkstra over all cells of all levels, each level a grid of its own.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use waymarch::base::{Agent, CellPos, Dir8, LevelCell, LevelId, SizeClass};
use waymarch::cost::{CostLayer, CostSettings, Map, PlacedStamp};
use waymarch::levels::{DeckState, LevelMap, LinkState, LinkWays};

use crate::dijkstra::UNREACHED;
use crate::rule::{BLOCKED, Rule, STRAIGHT, step_cost};
use crate::wide_units::field_for_size;

/// One level: its north-west cell over the base, its size and its costs.
struct Level {
    at: CellPos,
    width: u32,
    height: u32,
    cost: Vec<u8>,
    /// The index of its first cell among all cells.
    first: usize,
}

/// What one agent finds on a map of levels.
pub struct LevelTwin {
    levels: Vec<Level>,
    /// From cell to cell, with a length.
    links: Vec<(LevelCell, LevelCell, u64)>,
    rule: Rule,
}

impl LevelTwin {
    /// The levels of `map` for `agent`, with decks and links in these states.
    ///
    /// # Panics
    /// If the map is not valid.
    #[must_use]
    pub fn new(
        map: &LevelMap,
        decks: &[DeckState],
        links: &[LinkState],
        agent: Agent,
        rule: impl Into<Rule>,
    ) -> Self {
        let mut levels = Vec::new();
        let mut first = 0;
        for number in 0..=map.decks.len() {
            let plain = level_map(map, number);
            let (width, height) = (plain.size.width(), plain.size.height());
            let at = number.checked_sub(1).map_or(CellPos::new(0, 0), |deck| map.decks[deck].at);
            let valid = plain.validate().expect("a valid level");
            let layer = CostLayer::new(&valid, CostSettings::default());
            let one = Agent { size: SizeClass::ONE, ..agent };
            let field = layer.field(one).expect("a known locomotor");
            let cells = layer.grid().rect().cells();
            let cost: Vec<u8> = cells
                .map(|cell| {
                    let over = cell.offset(at.x, at.y);
                    if is_barred(map, decks, number, over, agent) { BLOCKED } else { field.cost(cell) }
                })
                .collect();
            let cost = field_for_size(&cost, width, height, agent.size.side());
            levels.push(Level { at, width, height, cost, first });
            first += (width * height) as usize;
        }
        let mut twin = Self { levels, links: Vec::new(), rule: rule.into() };
        for (link, state) in map.links.iter().zip(links) {
            let theirs = link.locomotors.as_ref().is_none_or(|some| some.contains(&agent.locomotor));
            let fits = link.largest.is_none_or(|largest| agent.size.side() <= largest.side());
            if *state == LinkState::Open && theirs && fits {
                twin.links.push((link.from, link.to, link.length.into()));
                if link.ways == LinkWays::Both {
                    twin.links.push((link.to, link.from, link.length.into()));
                }
            }
        }
        for number in 0..map.decks.len() {
            twin.add_ends(map, number, i32::from(agent.size.side()));
        }
        twin
    }

    /// At each end of a deck, a unit walks straight from the last place where all of it is on the deck to the first where none of it is.
    fn add_ends(&mut self, map: &LevelMap, number: usize, size: i32) {
        let (deck, level) = (&map.decks[number], LevelId(number as u16 + 1));
        let covers = |at: i32| (at - (size - 1) / 2, at + size / 2);
        for &side in &deck.ends {
            for at in
                self.cells().filter(|place| place.level == level).map(|place| place.at).collect::<Vec<_>>()
            {
                let beyond = at.offset(side.dx() * size, side.dy() * size);
                let (west, east) = covers(at.x);
                let (north, south) = covers(at.y);
                let area = deck.area();
                let at_the_edge = match side {
                    Dir8::N => north == area.y0,
                    Dir8::S => south == area.y1 - 1,
                    Dir8::W => west == area.x0,
                    _ => east == area.x1 - 1,
                };
                if at_the_edge {
                    let (on, off) = (at.on(level), beyond.on(LevelId::BASE));
                    let length = size as u64 * STRAIGHT;
                    self.links.extend([(on, off, length), (off, on, length)]);
                }
            }
        }
    }

    /// All cells of all levels.
    pub fn cells(&self) -> impl Iterator<Item = LevelCell> + '_ {
        self.levels.iter().enumerate().flat_map(|(number, level)| {
            let (width, height) = (level.width as i32, level.height as i32);
            (0..height)
                .flat_map(move |y| (0..width).map(move |x| level.at.offset(x, y).on(LevelId(number as u16))))
        })
    }

    /// What a cell costs; [`BLOCKED`] where it does not exist.
    #[must_use]
    pub fn cost(&self, at: LevelCell) -> u8 {
        self.index(at).map_or(BLOCKED, |index| {
            let level = &self.levels[usize::from(at.level.0)];
            level.cost[index - level.first]
        })
    }

    /// The place of a cell in the answer of [`LevelTwin::distances`].
    #[must_use]
    pub fn index(&self, at: LevelCell) -> Option<usize> {
        let level = self.levels.get(usize::from(at.level.0))?;
        let (x, y) = (at.at.x - level.at.x, at.at.y - level.at.y);
        let inside = x >= 0 && y >= 0 && (x as u32) < level.width && (y as u32) < level.height;
        inside.then(|| level.first + y as usize * level.width as usize + x as usize)
    }

    /// The cost of going from a cell to another at once: by a step or the cheapest link. `None` if neither leads there.
    #[must_use]
    pub fn hop(&self, from: LevelCell, to: LevelCell) -> Option<u64> {
        let price = u64::from(self.cost(to));
        if self.cost(to) == BLOCKED {
            return None;
        }
        let links = self.links.iter().filter(|link| (link.0, link.1) == (from, to));
        let linked = links.map(|link| link.2 * price).min();
        let walked = if from.level == to.level { self.step(from, to.at) } else { None };
        linked.into_iter().chain(walked).min()
    }

    fn step(&self, from: LevelCell, to: CellPos) -> Option<u64> {
        let level = &self.levels[usize::from(from.level.0)];
        let cell = |at: CellPos| (at.x - level.at.x, at.y - level.at.y);
        step_cost(&level.cost, (level.width, level.height), self.rule, cell(from.at), cell(to)).ok()
    }

    /// The least cost from `start` to every cell, by [`LevelTwin::index`]; [`UNREACHED`] where there is no route.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn distances(&self, start: LevelCell) -> Vec<u64> {
        let cells: Vec<LevelCell> = self.cells().collect();
        let mut distance = vec![UNREACHED; cells.len()];
        let mut open = BinaryHeap::new();
        distance[self.index(start).expect("a cell")] = 0;
        open.push(Reverse((0_u64, start)));
        while let Some(Reverse((so_far, at))) = open.pop() {
            if so_far > distance[self.index(at).expect("a cell")] {
                continue;
            }
            let steps = Dir8::ALL.into_iter().map(|dir| at.at.step(dir).on(at.level));
            let links = self.links.iter().filter(|link| link.0 == at).map(|link| link.1);
            for to in steps.chain(links) {
                let Some(cost) = self.hop(at, to) else { continue };
                let index = self.index(to).expect("a cell");
                if so_far + cost < distance[index] {
                    distance[index] = so_far + cost;
                    open.push(Reverse((so_far + cost, to)));
                }
            }
        }
        distance
    }
}

/// One level as a map of its own.
fn level_map(map: &LevelMap, number: usize) -> Map {
    let Some(deck) = number.checked_sub(1).map(|deck| &map.decks[deck]) else { return map.base.clone() };
    let moved = |placed: &PlacedStamp| PlacedStamp {
        at: placed.at.offset(-deck.at.x, -deck.at.y),
        stamp: placed.stamp.clone(),
    };
    Map {
        terrain: deck.terrain.clone(),
        elevation: deck.elevation.clone(),
        stamps: deck.stamps.iter().map(moved).collect(),
        ..Map::flat(deck.name.clone(), deck.size, map.base.rules.clone())
    }
}

/// The height of a level at a position over the base; `None` where it is not.
fn surface(map: &LevelMap, number: usize, at: CellPos) -> Option<i64> {
    let (size, first, heights, height) = match number.checked_sub(1).map(|deck| &map.decks[deck]) {
        Some(deck) => (deck.size, deck.at, &deck.elevation, deck.height),
        None => (map.base.size, CellPos::new(0, 0), &map.base.elevation, 0),
    };
    let id = size.id(at.offset(-first.x, -first.y))?;
    Some(i64::from(height) + heights.get(id.index()).map_or(0, |&own| i64::from(own)))
}

/// Whether `agent` may not enter a cell of a level, whatever the cell's terrain.
fn is_barred(map: &LevelMap, decks: &[DeckState], number: usize, at: CellPos, agent: Agent) -> bool {
    let flies = map.base.rules.locomotors[agent.locomotor.index()].surfaces.is_airborne();
    let own = number.checked_sub(1);
    if own.is_some_and(|deck| flies || decks[deck] == DeckState::Destroyed) {
        return true;
    }
    let given = map.heights.iter().find(|given| given.locomotor == agent.locomotor && given.height > 0);
    let Some(tall) = given.filter(|_| !flies).map(|given| i64::from(given.height)) else { return false };
    let own_height = own.map_or(0, |deck| map.decks[deck].height);
    (0..=map.decks.len()).any(|other| {
        let deck = other.checked_sub(1);
        let stands = deck.is_none_or(|deck| decks[deck] == DeckState::Standing);
        let above = deck.map_or(0, |deck| map.decks[deck].height) > own_height;
        let room = surface(map, other, at).zip(surface(map, number, at)).map(|(over, here)| over - here);
        stands && above && room.is_some_and(|room| room < tall)
    })
}
