/** A range of an audience: member ids greater than `after`, up to and including `upTo`. */
export interface AudienceRange {
  after: string;
  upTo: string;
}
