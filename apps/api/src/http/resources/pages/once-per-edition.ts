/** Finds something out about an edition, or gives what is known of it. */
export type OncePerEdition<Result> = (
  edition: object,
  name: string,
  find: () => Promise<Result>,
) => Promise<Result>;

/** Remembers, by name, what takes long to find out about an edition, as long as the edition is in use. */
export function oncePerEdition<Result>(): OncePerEdition<Result> {
  const known = new WeakMap<object, Map<string, Promise<Result>>>();
  return (edition, name, find) => {
    const named = known.get(edition) ?? new Map<string, Promise<Result>>();
    known.set(edition, named);
    const result = named.get(name) ?? find();
    named.set(name, result);
    result.catch(() => named.delete(name));
    return result;
  };
}
