/** A whole number with commas between thousands: 70,000. */
export function grouped(value: number): string {
  return value.toLocaleString('en-GB');
}

/** A number with a noun: "1 record", "70,000 records". */
export function counted(value: number, thing: string): string {
  return `${grouped(value)} ${thing}${value === 1 ? '' : 's'}`;
}

/** A duration: "12 s", "3:05 min", "2:03:05 h". */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)} h`;
}
