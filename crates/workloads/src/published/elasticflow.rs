//! What ElasticFlow's simulator runs on.

use super::{GPUS, Published, PublishedRow};

const fn row(model: &'static str, batch_global: u32, iterations_per_s: [f64; GPUS.len()]) -> PublishedRow {
    PublishedRow { model, batch_global, iterations_per_s }
}

/// ElasticFlow's measurements on A100 GPUs: Table 2 of the paper names the models and batch sizes, the profiles of its
/// public artifact hold the numbers. Rounded to four digits.
pub const A100: Published = Published {
    name: "elasticflow-a100",
    summary: "6 models with 14 batch sizes on 1 to 64 A100 GPUs",
    source: "ElasticFlow (Gu et al., ASPLOS 2023), profiles of the public artifact",
    rows: &[
        row("bert", 64, [6.031, 8.643, 10.36, 11.06, 10.99, 10.61, 9.246]),
        row("bert", 128, [3.575, 5.679, 8.451, 9.994, 10.77, 10.71, 9.445]),
        row("deepspeech2", 32, [3.023, 5.366, 7.544, 9.816, 12.88, 14.46, 0.0]),
        row("deepspeech2", 64, [1.6, 2.961, 5.253, 7.406, 9.401, 12.48, 13.97]),
        row("gpt2", 128, [7.309, 11.95, 16.67, 18.7, 19.87, 18.6, 16.65]),
        row("gpt2", 256, [4.097, 6.96, 11.44, 15.66, 17.87, 18.86, 15.64]),
        row("inception3", 64, [4.821, 8.19, 11.69, 13.39, 13.69, 13.69, 13.05]),
        row("inception3", 128, [2.562, 4.659, 7.804, 10.85, 12.8, 12.84, 12.34]),
        row("resnet50", 64, [6.843, 11.84, 18.3, 21.27, 21.51, 22.75, 20.97]),
        row("resnet50", 128, [3.655, 6.62, 11.22, 16.53, 20.16, 20.29, 21.07]),
        row("resnet50", 256, [1.843, 3.449, 6.191, 10.38, 15.15, 17.82, 18.85]),
        row("vgg16", 64, [5.053, 9.036, 14.76, 19.33, 25.89, 30.56, 29.53]),
        row("vgg16", 128, [2.625, 4.874, 8.721, 13.57, 18.06, 23.62, 25.78]),
        row("vgg16", 256, [1.314, 2.523, 4.642, 7.996, 12.62, 16.37, 20.66]),
    ],
    formulas: &[],
    powers: &[],
    scalings: &[],
};

/// Pollux's measurements on T4 GPUs, as ElasticFlow uses them for its Figure 8a. Rounded to four digits.
pub const T4: Published = Published {
    name: "elasticflow-t4",
    summary: "6 models with 9 batch sizes on 1 to 64 T4 GPUs",
    source: "Pollux (Qiao et al., OSDI 2021), as in the profiles of ElasticFlow's public artifact",
    rows: &[
        row("bert", 384, [0.03441, 0.07202, 0.1427, 0.1935, 0.3596, 0.489, 0.4693]),
        row("cifar10", 2048, [0.7124, 1.193, 2.535, 3.847, 6.477, 4.513, 3.714]),
        row("cifar10", 4096, [0.3563, 0.5971, 1.266, 2.225, 4.474, 4.44, 3.315]),
        row("deepspeech2", 320, [0.09845, 0.1925, 0.3813, 0.6467, 0.787, 0.8778, 0.0]),
        row("deepspeech2", 640, [0.04923, 0.09688, 0.1928, 0.3665, 0.6768, 0.7195, 0.8375]),
        row("imagenet", 3200, [0.06776, 0.1342, 0.2502, 0.4942, 0.9558, 1.44, 1.598]),
        row("imagenet", 6400, [0.03388, 0.06717, 0.1252, 0.2475, 0.4798, 0.9147, 1.271]),
        row("ncf", 32_768, [46.91, 37.62, 56.34, 23.23, 32.49, 26.05, 22.48]),
        row("yolov3", 64, [0.4381, 0.8288, 1.315, 0.611, 0.8515, 0.0, 0.0]),
    ],
    formulas: &[],
    powers: &[],
    scalings: &[],
};
