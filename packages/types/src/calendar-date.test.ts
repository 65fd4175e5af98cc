import { expect, test } from 'vitest';
import { isCalendarDate } from './calendar-date.ts';

test.each(['1632-11-24', '1500-02-29', '2000-02-29', '1999-12-31', '0900-01-01'])(
  '%s is a valid date',
  (text) => {
    expect(isCalendarDate(text)).toBe(true);
  },
);

test.each(['1632-13-01', '1632-00-10', '1631-02-29', '1632-04-31', '1632-1-1', '1632', '24-11-1632', ''])(
  '"%s" is invalid',
  (text) => {
    expect(isCalendarDate(text)).toBe(false);
  },
);
