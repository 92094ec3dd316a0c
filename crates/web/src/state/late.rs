//! Values that only what is fetched later makes and looks at.

use std::any::Any;

/// A value whose type the first comparison does not know: neither its code nor what drops it is fetched with the page.
#[derive(Default)]
pub struct Late(Option<Box<dyn Any>>);

impl Late {
    /// Puts a value in the place of the one that is there.
    pub fn put<T: 'static>(&mut self, value: T) {
        self.0 = Some(Box::new(value));
    }

    /// Whether there is a value.
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// The value.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }

    /// The value, to be changed.
    pub fn get_mut<T: 'static>(&mut self) -> Option<&mut T> {
        self.0.as_mut()?.downcast_mut()
    }

    /// Takes the value out.
    pub fn take<T: 'static>(&mut self) -> Option<T> {
        self.0.take()?.downcast().ok().map(|value| *value)
    }

    /// Drops the value.
    pub fn clear(&mut self) {
        self.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_put_changed_and_taken() {
        let mut late = Late::default();
        assert!(!late.is_some());
        late.put(vec![1]);
        late.get_mut::<Vec<i32>>().into_iter().for_each(|value| value.push(2));
        assert_eq!((late.get::<Vec<i32>>(), late.get::<String>()), (Some(&vec![1, 2]), None));
        assert_eq!(late.take(), Some(vec![1, 2]));
        assert!(!late.is_some());
        late.put(String::new());
        late.clear();
        assert!(!late.is_some());
    }
}
