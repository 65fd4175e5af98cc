/** The fields of an object in order; a dot stands before a field that `_nl` and `_en` follow. */
const fields = (names: string): readonly string[] =>
  names.split(' ').flatMap((name) => {
    const plain = name.replace('.', '');
    return name === plain ? [name] : [plain, `${plain}_nl`, `${plain}_en`];
  });

export const FILE = fields('id uuid name title alt url path filetype description author copyright');

export const ABBREVIATED_EVENT = fields(
  'id main_image url subjects persons location published uuid .name .content .summary date ' +
    'date_start date_end same_as files',
);

/** The fields of the records of each kind. */
export const TABLES = {
  person: fields(
    'id image pictures url subjects published uuid first_name last_name infix .title .content ' +
      'birth_date death_date gender birth_place birth_country death_place death_country .summary ' +
      'same_as files',
  ),
  subject: fields('id image url published uuid .name .description .summary same_as parent files'),
  location: fields(
    'id files main_image latitude longitude events subjects related_locations url published .name ' +
      'uuid .content position .summary same_as street zipcode city state land location_events',
  ),
  event: fields(
    'id main_image files persons location url published uuid .name .content date date_start date_end ' +
      '.summary same_as',
  ),
} as const;
