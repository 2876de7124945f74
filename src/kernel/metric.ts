/** A metric of `/metrics`, read at each scrape. */
export interface Metric {
  /** In Prometheus' style: lower-case words with underscores, the unit last. */
  name: string;
  help: string;
  read(): number | Promise<number>;
}
