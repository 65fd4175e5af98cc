declare module 'shacl-engine' {
  import type { Store } from 'n3';

  export class Validator {
    constructor(shapes: Store, options: { factory: object });
    validate(data: { dataset: Store }): Promise<{ conforms: boolean; results: unknown[] }>;
  }
}
