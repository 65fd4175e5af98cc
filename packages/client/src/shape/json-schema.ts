/** A schema as JSON (JSON Schema 2020-12): the part of it that the contract's schemas need. */
export interface JsonSchema {
  /** `#/<name>`: one of the named shapes. */
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  /** `date`: a day of the calendar, the Julian one included. */
  readonly format?: string;
  readonly minimum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** False where there may be no other properties. */
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly JsonSchema[];
}
