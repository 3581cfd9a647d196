//! SysAdmin in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{Reboot, State, SysAdmin};

impl Encoded for SysAdmin {
    fn layout(&self) -> Vec<Part> {
        vec![
            Part::new(usize::from(self.computers), 1, "by computer: 1 if it runs"),
            Part::new(1, self.horizon.into(), "moves left"),
        ]
    }

    fn observe(&self, state: &State, _last: Option<u16>, out: &mut [i16]) {
        for (computer, out) in out.iter_mut().enumerate().take(self.computers.into()) {
            *out = (state.running >> computer & 1) as i16;
        }
        out[usize::from(self.computers)] = state.left.into();
    }

    fn moves(&self) -> usize {
        1 + usize::from(self.computers)
    }

    fn numbering(&self) -> &'static str {
        "0 wait, from 1 on the computer that is rebooted"
    }

    fn number(&self, _state: &State, reboot: Reboot) -> usize {
        reboot.map_or(0, |computer| 1 + usize::from(computer))
    }
}
