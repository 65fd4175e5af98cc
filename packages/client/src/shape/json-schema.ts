/** The subset of JSON Schema 2020-12 that the contract's schemas use. */
export interface JsonSchema {
  /** `#/<name>`: one of the named shapes. */
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  /** `date`: a valid calendar date, Julian ones included. */
  readonly format?: string;
  readonly minimum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** False if other properties are invalid. */
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly JsonSchema[];
}
