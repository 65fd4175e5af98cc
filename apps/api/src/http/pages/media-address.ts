/** The address of a file that a bundle names: an address as it stands, or a path below that of the archive's media. */
export function mediaAddress(baseUrl: string, file: string): string {
  if (/^https?:/.test(file)) return file;
  return `${baseUrl}/media/${file.split('/').map(encodeURIComponent).join('/')}`;
}
