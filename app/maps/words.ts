import { localeOf, type Locale } from '#functions/shapes/locale.ts'
import { plural, type Plural } from '#functions/shapes/plural.ts'

/** What a map says of what it draws, and of what it does not, in one language. Counts come in with their nouns. */
interface MapWords {
  records: Plural
  circles: Plural
  /** Each record has a mark of its own. */
  single: (records: string) => string
  gathered: (records: string, circles: string) => string
  unplaced: Plural
  /** They have a place, and the picture does not reach there. */
  outside: Plural
  /** Records that a picture of several sources has not. */
  unshown: Plural
  /** Both formatted. */
  live: (shown: string, total: string) => string
}

const english: MapWords = {
  records: { one: '{n} record', other: '{n} records' },
  circles: { one: '{n} circle', other: '{n} circles' },
  single: (records) => `${records} on the map.`,
  gathered: (records, circles) => `${records} in ${circles}.`,
  unplaced: { one: '{n} record has no place.', other: '{n} records have no place.' },
  outside: {
    one: '{n} record lies outside of this picture.',
    other: '{n} records lie outside of this picture.',
  },
  unshown: {
    one: '{n} record is not in this picture: it has no place, or lies outside of it.',
    other: '{n} records are not in this picture: they have no place, or lie outside of it.',
  },
  live: (shown, total) => `The live map shows ${shown} of ${total}.`,
}

const spanish: MapWords = {
  records: { one: '{n} registro', other: '{n} registros' },
  circles: { one: '{n} círculo', other: '{n} círculos' },
  single: (records) => `${records} en el mapa.`,
  gathered: (records, circles) => `${records} en ${circles}.`,
  unplaced: { one: '{n} registro no tiene lugar.', other: '{n} registros no tienen lugar.' },
  outside: {
    one: '{n} registro queda fuera de esta imagen.',
    other: '{n} registros quedan fuera de esta imagen.',
  },
  unshown: {
    one: '{n} registro no está en esta imagen: no tiene lugar o queda fuera de ella.',
    other: '{n} registros no están en esta imagen: no tienen lugar o quedan fuera de ella.',
  },
  live: (shown, total) => `El mapa interactivo muestra ${shown} de ${total}.`,
}

const french: MapWords = {
  records: { one: '{n} enregistrement', other: '{n} enregistrements' },
  circles: { one: '{n} cercle', other: '{n} cercles' },
  single: (records) => `${records} sur la carte.`,
  gathered: (records, circles) => `${records} dans ${circles}.`,
  unplaced: { one: '{n} enregistrement n’a pas de lieu.', other: '{n} enregistrements n’ont pas de lieu.' },
  outside: {
    one: '{n} enregistrement est en dehors de cette image.',
    other: '{n} enregistrements sont en dehors de cette image.',
  },
  unshown: {
    one: '{n} enregistrement n’est pas sur cette image\u00a0: il n’a pas de lieu, ou se trouve en dehors.',
    other:
      '{n} enregistrements ne sont pas sur cette image\u00a0: ils n’ont pas de lieu, ou se trouvent en dehors.',
  },
  live: (shown, total) => `La carte interactive montre ${shown} sur ${total}.`,
}

const arabic: MapWords = {
  records: {
    zero: 'لا سجلات',
    one: 'سجل واحد',
    two: 'سجلان',
    few: '{n} سجلات',
    many: '{n} سجلًا',
    other: '{n} سجل',
  },
  circles: {
    zero: 'لا دوائر',
    one: 'دائرة واحدة',
    two: 'دائرتين',
    few: '{n} دوائر',
    many: '{n} دائرة',
    other: '{n} دائرة',
  },
  single: (records) => `على الخريطة: ${records}.`,
  gathered: (records, circles) => `${records} في ${circles}.`,
  unplaced: {
    zero: 'لا سجلات بلا مكان.',
    one: 'سجل واحد بلا مكان.',
    two: 'سجلان بلا مكان.',
    few: '{n} سجلات بلا مكان.',
    many: '{n} سجلًا بلا مكان.',
    other: '{n} سجل بلا مكان.',
  },
  outside: {
    zero: 'لا سجلات خارج هذه الصورة.',
    one: 'سجل واحد خارج هذه الصورة.',
    two: 'سجلان خارج هذه الصورة.',
    few: '{n} سجلات خارج هذه الصورة.',
    many: '{n} سجلًا خارج هذه الصورة.',
    other: '{n} سجل خارج هذه الصورة.',
  },
  unshown: {
    zero: 'لا سجلات ناقصة في هذه الصورة.',
    one: 'سجل واحد ليس في هذه الصورة: لا مكان له أو هو خارجها.',
    two: 'سجلان ليسا في هذه الصورة: لا مكان لهما أو هما خارجها.',
    few: '{n} سجلات ليست في هذه الصورة: لا مكان لها أو هي خارجها.',
    many: '{n} سجلًا ليست في هذه الصورة: لا مكان لها أو هي خارجها.',
    other: '{n} سجل ليست في هذه الصورة: لا مكان لها أو هي خارجها.',
  },
  live: (shown, total) => `تعرض الخريطة التفاعلية ${shown} من ${total}.`,
}

const byLanguage: Record<Locale, MapWords> = { en: english, es: spanish, fr: french, ar: arabic }

/** How many records a picture of places has of how many, and in how many marks it gathers them. */
export interface Pictured {
  /** All there are. */
  records: number
  /** Those that the picture's marks stand for. */
  drawn: number
  /** Those that have a place outside of the picture. */
  outside: number
  marks: number
}

/** What a picture of places shows: how many records in how many circles, and which it does not show. */
export function tellPictured({ records, drawn, outside, marks }: Pictured, locale: string): string {
  const say = byLanguage[localeOf(locale)]
  const of = plural(say.records, drawn, locale)
  const unplaced = records - drawn - outside
  return [
    drawn === marks ? say.single(of) : say.gathered(of, plural(say.circles, marks, locale)),
    ...(unplaced > 0 ? [plural(say.unplaced, unplaced, locale)] : []),
    ...(outside > 0 ? [plural(say.outside, outside, locale)] : []),
  ].join(' ')
}

/** Said where the live map has only some of the records. */
export function tellLive(shown: number, records: number, locale: string): string {
  const say = byLanguage[localeOf(locale)]
  return say.live(new Intl.NumberFormat(locale).format(shown), plural(say.records, records, locale))
}

/** Said of records that a picture of several sources has not; '' where it has them all. */
export function tellUnshown(count: number, locale: string): string {
  return count > 0 ? plural(byLanguage[localeOf(locale)].unshown, count, locale) : ''
}
