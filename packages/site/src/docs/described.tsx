import type { Language } from '@archiefkast/types';
import { say } from './descriptions.ts';

/** A description in the language of the page; where it stands in another, it says so. */
export function Described({ language, text }: { language: Language; text: string }) {
  const said = say(language, text);
  if (said.language === language) return said.text;
  return <span lang={said.language}>{said.text}</span>;
}
