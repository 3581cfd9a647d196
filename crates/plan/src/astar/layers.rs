//! Deferred states: those with successors in a later f-layer.

use super::registry::{
    BLOCK_BITS, COST, LAYER, LAYER_SHIFT, LAYERS, LENGTH, LENGTH_SHIFT, Registry, StateId,
};

/// How many costs one pass of a [`Scan`] covers. With few, the last layer reaches the goal sooner,
/// since the states of highest cost come first; one is no better than two.
const PASS: u32 = 2;

/// A scan of the states in a registry: in several passes, those of high cost first, and in each
/// pass the latest blocks first. States of high cost are likely to be near a goal.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    /// Blocks in all.
    all: usize,
    /// States of lower cost are left to later passes.
    least: u32,
    /// Blocks of this pass not yet begun.
    blocks: usize,
    /// The position in the block in hand, and its end.
    at: usize,
    end: usize,
}

impl Scan {
    /// A scan of all states stored by now.
    pub(super) fn of(registry: &Registry) -> Scan {
        let all = registry.blocks.len();
        Scan { all, least: registry.highest.saturating_sub(PASS), blocks: all, at: 0, end: 0 }
    }

    /// Whether all states have been scanned.
    pub(super) fn is_over(&self) -> bool {
        self.blocks == 0 && self.at >= self.end && self.least == 0
    }
}

impl Registry {
    /// Defers a state to a later layer, or to none. If the layer is far away the state may come up
    /// earlier, but never later.
    pub(super) fn defer(&mut self, id: StateId, layer: Option<u32>, current: u32) {
        let code =
            layer.map_or(LAYERS, |layer| layer.clamp(current + 1, current + LAYERS - 1) % LAYERS);
        let meta = self.meta(id);
        let before = (*meta & LAYER) >> LAYER_SHIFT;
        *meta = *meta & !LAYER | code << LAYER_SHIFT;
        if let Some(count) = self.deferred.get_mut(before as usize) {
            *count -= 1;
        }
        if let Some(count) = self.deferred.get_mut(code as usize) {
            *count += 1;
        }
    }

    /// The first layer after the current one to which a state is deferred.
    pub(super) fn next_layer(&self, current: u32) -> Option<u32> {
        (current + 1..current + LAYERS).find(|layer| self.deferred[(layer % LAYERS) as usize] > 0)
    }

    /// The next state of a scan that was deferred to this layer; from now on it is not deferred.
    pub(super) fn next_deferred(&mut self, scan: &mut Scan, layer: u32) -> Option<StateId> {
        let code = layer % LAYERS;
        if self.deferred[code as usize] == 0 {
            *scan = Scan::default();
            return None;
        }
        loop {
            if scan.at >= scan.end {
                if scan.blocks == 0 {
                    if scan.least == 0 {
                        return None;
                    }
                    scan.blocks = scan.all;
                    scan.least = scan.least.saturating_sub(PASS);
                }
                scan.blocks = scan.blocks.checked_sub(1)?;
                (scan.at, scan.end) = (0, self.blocks[scan.blocks].len());
            }
            let block = &self.blocks[scan.blocks];
            while scan.at < scan.end {
                let meta = block[scan.at + 1];
                let at = scan.at;
                scan.at += 1 + ((meta & LENGTH) >> LENGTH_SHIFT) as usize;
                if (meta & LAYER) >> LAYER_SHIFT == code && meta & COST >= scan.least {
                    let id = StateId((scan.blocks << BLOCK_BITS | at) as u32);
                    self.defer(id, None, layer);
                    return Some(id);
                }
            }
        }
    }
}
