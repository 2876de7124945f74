/** A figure of `/metrics`, read when it is asked for. */
export interface Metric {
  /** In Prometheus' style: lower-case words with underscores, the unit last. */
  name: string;
  help: string;
  read(): number | Promise<number>;
}
