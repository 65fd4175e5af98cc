import { afterAll } from 'vitest';
import { endLeftovers } from './leftovers.ts';

afterAll(endLeftovers);
