import { takeCoverage } from 'node:v8';
import { afterAll } from 'vitest';

// Vitest ends its processes before they could write it themselves.
afterAll(takeCoverage);
