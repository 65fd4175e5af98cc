/** Walks a list as simply as possible: no checks, nothing written. Prints the number of records. */
let records = 0;
for (let url: string | null = process.argv[2] ?? ''; url; ) {
  const response: Response = await fetch(url);
  const page = (await response.json()) as { next: string | null; results: unknown[] };
  records += page.results.length;
  url = page.next;
}
process.stdout.write(`${records}\n`);
