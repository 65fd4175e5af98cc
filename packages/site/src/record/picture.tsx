import type { FileObject } from '@archiefkast/types';
import { linkToAddress, type PageContext } from '../layout/page-context.ts';
import { RECORD_TEXTS } from './record-texts.ts';

/** The address of a file: at the archive itself, or elsewhere. */
export function addressOf({ url, path }: FileObject): string {
  return path ?? url;
}

/** A picture with its caption, credit and rights. Space is reserved while it loads. */
export function Picture({ page, file, name }: { page: PageContext; file: FileObject; name: string }) {
  const address = linkToAddress(page, addressOf(file));
  const caption = file.title || file.name;
  const rights = [file.alt, file.author, file.copyright].filter(
    (text, index, all) => text && all.indexOf(text) === index,
  );
  return (
    <figure class="picture" data-missing={RECORD_TEXTS[page.language].missingPicture}>
      <a href={address}>
        <img src={address} alt={caption || name} width="480" height="600" decoding="async" />
      </a>
      {(caption || rights.length > 0) && (
        <figcaption>
          {caption && <span class="caption">{caption}</span>}{' '}
          {rights.length > 0 && <small>{rights.join(' · ')}</small>}
        </figcaption>
      )}
    </figure>
  );
}

/** Pictures and other files of a record, except the main picture. */
export function Files({
  page,
  files,
  title,
}: {
  page: PageContext;
  files: readonly FileObject[];
  title: string;
}) {
  const isImage = ({ filetype }: FileObject) => filetype === 'image';
  return (
    <>
      <div class="pictures">
        {files.filter(isImage).map((file) => (
          <Picture key={file.uuid} page={page} file={file} name={title} />
        ))}
      </div>
      <ul>
        {files
          .filter((file) => !isImage(file))
          .map((file) => (
            <li key={file.uuid}>
              <a href={linkToAddress(page, addressOf(file))}>{file.title || file.name || addressOf(file)}</a>
            </li>
          ))}
      </ul>
    </>
  );
}
