/** The value of a JSON text, or why it has none. */
export function parseJson(text: string): { value: unknown; reason?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { value: undefined, reason: `is not JSON: ${message}` };
  }
}
