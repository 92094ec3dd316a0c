// Jobs that keep 16 nodes of 8 GPUs about half busy. Under four policies they make some 28 spans each.

/** The trace, as CSV. */
export function jobs(count, seed = 1) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let time = 0;
  let text = "job_id,submit_s,model,gpus,duration_s\n";
  for (let job = 0; job < count; job += 1) {
    time += random() * 120;
    const gpus = 1 << Math.floor(random() * 4);
    text += `job-${job},${time.toFixed(1)},model${Math.floor(random() * 7)},${gpus},${(60 + random() * 2400).toFixed(1)}\n`;
  }
  return text;
}

/** Throughput curves of its models, as CSV. */
export function curves() {
  const rows = ["model,gpus,samples_per_s"];
  for (let model = 0; model < 7; model += 1) {
    for (let power = 0; power < 6; power += 1) rows.push(`model${model},${1 << power},${Math.round(100 * (1 << power) ** 0.8)}`);
  }
  return `${rows.join("\n")}\n`;
}
