/** The parts of a body that are right by themselves: fields may be missing at every depth, and wrong items are undefined. */
export type RightParts<Value> = Value extends readonly (infer Item)[]
  ? (RightParts<Item> | undefined)[]
  : Value extends object
    ? { [Name in keyof Value]?: RightParts<Value[Name]> }
    : Value;
