/** A text of the site, in which backquotes mark code and `[words](address)` a link. */
export function RichText({ text }: { text: string }) {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/).map((part, index) => {
    const key = `${index}`;
    if (index % 2 === 0) return part;
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>;
    const [words = '', address = ''] = part.slice(1, -1).split('](');
    return (
      <a key={key} href={address}>
        {words}
      </a>
    );
  });
}
