//! The public measurements, as the data pack has them.

use std::path::Path;

use elastiplan_solvers::fit::Measured;

use crate::data_pack::folder;

/// What was measured of one model.
pub struct Pack {
    /// Step times on every placement of up to 4 nodes of 4 GPUs, and on 6 to 16 nodes.
    pub times: Vec<Measured>,
    /// A whole training for each batch size, batch sizes rising.
    pub trainings: Vec<Training>,
}

/// A whole training at one batch size.
pub struct Training {
    pub batch: u32,
    /// A row for each epoch.
    pub epochs: Vec<Epoch>,
}

/// Where a training is after an epoch, and what its gradients were like in it.
pub struct Epoch {
    /// Steps of the base batch that would have brought it as far.
    pub progress: f64,
    /// Steps that it took.
    pub steps: f64,
    /// Squared norm of the gradient.
    pub square: f64,
    /// Its variance at the base batch.
    pub variance: f64,
}

/// `None`, and said so, where there is no data pack. `batch_per_gpu_max`: what was measured with more is left out.
pub fn read(model: &str, batch_per_gpu_max: u32) -> Option<Pack> {
    let folder = folder("pollux")?.join("traces").join(model);
    let mut times = Vec::new();
    for row in rows(&folder.join("placements.csv")) {
        let on_nodes: Vec<u32> = row[0].chars().map(|digit| digit.to_digit(10).unwrap()).collect();
        times.push(measured(on_nodes.iter().sum(), on_nodes.len() as u32, &row[1..]));
    }
    for row in rows(&folder.join("scalability.csv")) {
        times.push(measured(row[1].parse().unwrap(), row[0].parse().unwrap(), &row[2..]));
    }
    times.retain(|row| row.batch_per_gpu <= f64::from(batch_per_gpu_max));
    let mut trainings: Vec<Training> = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let Some(batch) = name.strip_prefix("validation-") else { continue };
        let epochs = rows(&path).iter().map(|row| epoch(row)).collect();
        trainings.push(Training { batch: batch.parse().unwrap(), epochs });
    }
    trainings.sort_by_key(|training| training.batch);
    Some(Pack { times, trainings })
}

impl Pack {
    /// Steps of the base batch after which each epoch ends: the fewest of any batch size, as the artifact has it.
    pub fn targets(&self) -> Vec<f64> {
        let epochs = self.trainings.iter().map(|training| training.epochs.len()).min().unwrap();
        let least = |epoch: usize| self.trainings.iter().map(move |training| training.epochs[epoch].progress);
        (0..epochs).map(|epoch| least(epoch).fold(f64::INFINITY, f64::min)).collect()
    }
}

impl Epoch {
    /// What a sample is worth in a batch so many times as large as the base batch, as the artifact has it.
    pub fn worth(&self, times_as_large: f64) -> f64 {
        (self.variance + self.square) / (self.variance + self.square * times_as_large)
    }
}

fn measured(gpus: u32, nodes: u32, row: &[String]) -> Measured {
    let [batch_per_gpu, step_s, sync_s] = row else { panic!("{row:?}") };
    let (step_s, sync_s): (f64, f64) = (step_s.parse().unwrap(), sync_s.parse().unwrap());
    Measured { gpus, nodes, batch_per_gpu: batch_per_gpu.parse().unwrap(), pass_s: step_s - sync_s, step_s }
}

fn epoch(row: &[String]) -> Epoch {
    let number = |at: usize| row[at].parse().unwrap();
    Epoch { progress: number(0), steps: number(1), square: number(3), variance: number(4) }
}

fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let cells = |line: &str| line.split(',').map(str::to_string).collect();
    text.lines().skip(1).filter(|line| !line.is_empty()).map(cells).collect()
}
