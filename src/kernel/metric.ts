/** One value of a metric with labels. */
export interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** A metric of `/metrics`, read at each scrape: a counter when its name ends in `_total`, otherwise a gauge. */
export interface Metric {
  /** In Prometheus' style: lower-case words with underscores, the unit last. */
  name: string;
  help: string;
  /** The names of the labels by which its samples differ; without them there is one value. */
  labels?: readonly string[];
  /** One value, or samples when the metric has labels. */
  read(): number | Sample[] | Promise<number | Sample[]>;
}
