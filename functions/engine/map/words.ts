import { localeOf, type Locale } from '#functions/shapes/locale.ts'
import { plural, type Plural } from '#functions/shapes/plural.ts'

/** What the regions of a set are. */
type RegionKind = 'state' | 'county' | 'country' | 'region'

const kinds: Record<string, RegionKind> = {
  'us-states': 'state',
  'us-counties': 'county',
  'world-countries': 'country',
}

/** What a map says of what it draws, and of what it does not, in one language. Counts come in with their nouns. */
interface MapWords {
  records: Plural
  points: Plural
  circles: Plural
  /** Each record has a mark of its own. */
  single: (records: string) => string
  gathered: (records: string, circles: string) => string
  /** Said where areas and lines are drawn as circles. */
  manyShapes: string
  unplaced: Plural
  /** They have a place, and the picture does not reach there. */
  outside: Plural
  /** Records that a picture of several sources has not. */
  unshown: Plural
  /** Values of the column of regions that name none; `named` lists some of them, `more`: how many it leaves out. */
  unmatched: (told: {
    n: number
    total: number
    set: RegionKind
    named: string
    more: number
    written: (count: number) => string
  }) => string
  repeated: Plural
  unplacedRows: Plural
  outsidePoints: Plural
  /** Regions that have a value and for which the picture has no room. */
  hidden: (told: { n: number; named: string; more: number; written: (count: number) => string }) => string
  /** Why a map is blank, and what to do. */
  blank: Record<'borders' | 'numbers' | 'places', string> & { names: (set: RegionKind) => string }
  /** Both formatted. */
  live: (shown: string, total: string) => string
}

const english: MapWords = {
  records: { one: '{n} record', other: '{n} records' },
  points: { one: '{n} point', other: '{n} points' },
  circles: { one: '{n} circle', other: '{n} circles' },
  single: (records) => `${records} on the map.`,
  gathered: (records, circles) => `${records} in ${circles}.`,
  manyShapes: 'Lines and areas are too many or too detailed to be drawn one by one: circles stand for them.',
  unplaced: { one: '{n} record has no place.', other: '{n} records have no place.' },
  outside: {
    one: '{n} record lies outside of this picture.',
    other: '{n} records lie outside of this picture.',
  },
  unshown: {
    one: '{n} record is not in this picture: it has no place, or lies outside of it.',
    other: '{n} records are not in this picture: they have no place, or lie outside of it.',
  },
  unmatched: ({ n, total, set, named, more, written }) =>
    `${written(n)} of ${written(total)} ${total === 1 ? 'value matches' : n === 1 ? 'values matches' : 'values match'} no ${set}: ` +
    `${named}${more > 0 ? ` and ${written(more)} more` : ''}.`,
  repeated: {
    one: '{n} region has several values; the map shows the first of them.',
    other: '{n} regions have several values; the map shows the first of each.',
  },
  unplacedRows: { one: '{n} row has no place.', other: '{n} rows have no place.' },
  outsidePoints: {
    one: '{n} point lies outside of this picture.',
    other: '{n} points lie outside of this picture.',
  },
  hidden: ({ n, named, more, written }) =>
    `${written(n)} ${n === 1 ? 'region with a value lies' : 'regions with a value lie'} outside of this picture: ` +
    `${named}${more > 0 ? ` and ${written(more)} more` : ''}.`,
  blank: {
    borders: 'The map cannot be drawn: its borders are missing. The table has the values.',
    names: (set) =>
      `The map would be blank: no value names a ${set}. Choose the column that does, or other regions.`,
    numbers: 'The map would be blank: there is no number to colour it by. Add a count or another measure.',
    places:
      'The map would be blank: no row has a place. Choose a column of points, or longitude and latitude.',
  },
  live: (shown, total) => `The live map shows ${shown} of ${total}.`,
}

const spanish: MapWords = {
  records: { one: '{n} registro', other: '{n} registros' },
  points: { one: '{n} punto', other: '{n} puntos' },
  circles: { one: '{n} círculo', other: '{n} círculos' },
  single: (records) => `${records} en el mapa.`,
  gathered: (records, circles) => `${records} en ${circles}.`,
  manyShapes:
    'Las líneas y áreas son demasiadas o demasiado detalladas para dibujarlas una a una: los círculos las representan.',
  unplaced: { one: '{n} registro no tiene lugar.', other: '{n} registros no tienen lugar.' },
  outside: {
    one: '{n} registro queda fuera de esta imagen.',
    other: '{n} registros quedan fuera de esta imagen.',
  },
  unshown: {
    one: '{n} registro no está en esta imagen: no tiene lugar o queda fuera de ella.',
    other: '{n} registros no están en esta imagen: no tienen lugar o quedan fuera de ella.',
  },
  unmatched: ({ n, total, set, named, more, written }) =>
    `${written(n)} de ${written(total)} valores no ${n === 1 ? 'corresponde' : 'corresponden'} a ` +
    `${{ state: 'ningún estado', county: 'ningún condado', country: 'ningún país', region: 'ninguna región' }[set]}: ` +
    `${named}${more > 0 ? ` y ${written(more)} más` : ''}.`,
  repeated: {
    one: '{n} región tiene varios valores; el mapa muestra el primero.',
    other: '{n} regiones tienen varios valores; el mapa muestra el primero de cada una.',
  },
  unplacedRows: { one: '{n} fila no tiene lugar.', other: '{n} filas no tienen lugar.' },
  outsidePoints: {
    one: '{n} punto queda fuera de esta imagen.',
    other: '{n} puntos quedan fuera de esta imagen.',
  },
  hidden: ({ n, named, more, written }) =>
    `${written(n)} ${n === 1 ? 'región con valor queda' : 'regiones con valor quedan'} fuera de esta imagen: ` +
    `${named}${more > 0 ? ` y ${written(more)} más` : ''}.`,
  blank: {
    borders: 'El mapa no se puede dibujar: faltan sus límites. La tabla tiene los valores.',
    names: (set) =>
      `El mapa estaría vacío: ningún valor nombra ${{ state: 'un estado', county: 'un condado', country: 'un país', region: 'una región' }[set]}. ` +
      'Elija la columna que lo hace u otras regiones.',
    numbers: 'El mapa estaría vacío: no hay ningún número que lo coloree. Añada un recuento u otra medida.',
    places:
      'El mapa estaría vacío: ninguna fila tiene lugar. Elija una columna de puntos, o longitud y latitud.',
  },
  live: (shown, total) => `El mapa interactivo muestra ${shown} de ${total}.`,
}

const french: MapWords = {
  records: { one: '{n} enregistrement', other: '{n} enregistrements' },
  points: { one: '{n} point', other: '{n} points' },
  circles: { one: '{n} cercle', other: '{n} cercles' },
  single: (records) => `${records} sur la carte.`,
  gathered: (records, circles) => `${records} dans ${circles}.`,
  manyShapes:
    'Les lignes et les surfaces sont trop nombreuses ou trop détaillées pour être dessinées une à une\u00a0: des cercles les représentent.',
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
  unmatched: ({ n, total, set, named, more, written }) =>
    `${written(n)} ${n === 1 ? 'valeur' : 'valeurs'} sur ${written(total)} ne ${n === 1 ? 'correspond' : 'correspondent'} à ` +
    `${{ state: 'aucun État', county: 'aucun comté', country: 'aucun pays', region: 'aucune région' }[set]}\u00a0: ` +
    `${named}${more > 0 ? ` et ${written(more)} de plus` : ''}.`,
  repeated: {
    one: '{n} région a plusieurs valeurs\u00a0; la carte en montre la première.',
    other: '{n} régions ont plusieurs valeurs\u00a0; la carte montre la première de chacune.',
  },
  unplacedRows: { one: '{n} ligne n’a pas de lieu.', other: '{n} lignes n’ont pas de lieu.' },
  outsidePoints: {
    one: '{n} point est en dehors de cette image.',
    other: '{n} points sont en dehors de cette image.',
  },
  hidden: ({ n, named, more, written }) =>
    `${written(n)} ${n === 1 ? 'région avec une valeur est' : 'régions avec une valeur sont'} en dehors de cette image\u00a0: ` +
    `${named}${more > 0 ? ` et ${written(more)} de plus` : ''}.`,
  blank: {
    borders:
      'La carte ne peut pas être dessinée\u00a0: ses limites manquent. Le tableau contient les valeurs.',
    names: (set) =>
      `La carte serait vide\u00a0: aucune valeur ne nomme ${{ state: 'un État', county: 'un comté', country: 'un pays', region: 'une région' }[set]}. ` +
      'Choisissez la colonne qui le fait, ou d’autres régions.',
    numbers:
      'La carte serait vide\u00a0: aucun nombre ne la colore. Ajoutez un décompte ou une autre mesure.',
    places:
      'La carte serait vide\u00a0: aucune ligne n’a de lieu. Choisissez une colonne de points, ou longitude et latitude.',
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
  points: {
    zero: 'لا نقاط',
    one: 'نقطة واحدة',
    two: 'نقطتان',
    few: '{n} نقاط',
    many: '{n} نقطة',
    other: '{n} نقطة',
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
  manyShapes: 'الخطوط والمساحات كثيرة أو مفصلة جدًا فلا تُرسم كل واحدة على حدة: تمثلها الدوائر.',
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
  unmatched: ({ n, total, set, named, more, written }) =>
    `قيم لا تطابق ${{ state: 'أي ولاية', county: 'أي مقاطعة', country: 'أي بلد', region: 'أي منطقة' }[set]}: ` +
    `${written(n)} من ${written(total)} (${named}${more > 0 ? ` و${written(more)} غيرها` : ''}).`,
  repeated: {
    zero: 'لا مناطق لها عدة قيم.',
    one: 'منطقة واحدة لها عدة قيم، وتعرض الخريطة أولاها.',
    two: 'منطقتان لهما عدة قيم، وتعرض الخريطة أولى قيم كل منهما.',
    few: '{n} مناطق لها عدة قيم، وتعرض الخريطة أولى قيم كل منها.',
    many: '{n} منطقة لها عدة قيم، وتعرض الخريطة أولى قيم كل منها.',
    other: '{n} منطقة لها عدة قيم، وتعرض الخريطة أولى قيم كل منها.',
  },
  unplacedRows: {
    zero: 'لا صفوف بلا مكان.',
    one: 'صف واحد بلا مكان.',
    two: 'صفان بلا مكان.',
    few: '{n} صفوف بلا مكان.',
    many: '{n} صفًا بلا مكان.',
    other: '{n} صف بلا مكان.',
  },
  outsidePoints: {
    zero: 'لا نقاط خارج هذه الصورة.',
    one: 'نقطة واحدة خارج هذه الصورة.',
    two: 'نقطتان خارج هذه الصورة.',
    few: '{n} نقاط خارج هذه الصورة.',
    many: '{n} نقطة خارج هذه الصورة.',
    other: '{n} نقطة خارج هذه الصورة.',
  },
  hidden: ({ n, named, more, written }) =>
    `مناطق لها قيمة خارج هذه الصورة: ${written(n)} (${named}${more > 0 ? ` و${written(more)} غيرها` : ''}).`,
  blank: {
    borders: 'لا يمكن رسم الخريطة: حدودها غير متوفرة. القيم موجودة في الجدول.',
    names: (set) =>
      `ستكون الخريطة فارغة: لا توجد قيمة تسمي ${{ state: 'ولاية', county: 'مقاطعة', country: 'بلدًا', region: 'منطقة' }[set]}. ` +
      'اختر العمود الذي يسميها أو مناطق أخرى.',
    numbers: 'ستكون الخريطة فارغة: لا يوجد رقم لتلوينها. أضف عددًا أو مقياسًا آخر.',
    places: 'ستكون الخريطة فارغة: لا يوجد صف له مكان. اختر عمود نقاط، أو خط الطول وخط العرض.',
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

/** So many records or points with their noun, as the legend of circles has them: "2 points". */
export const tellCount = (n: number, of: 'records' | 'points', locale: string): string =>
  plural(byLanguage[localeOf(locale)][of], n, locale)

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

/** Said where a picture has circles in the place of lines and areas. */
export const tellManyShapes = (locale: string): string => byLanguage[localeOf(locale)].manyShapes

/** Said where the live map has only some of the records. */
export function tellLive(shown: number, records: number, locale: string): string {
  const say = byLanguage[localeOf(locale)]
  return say.live(new Intl.NumberFormat(locale).format(shown), plural(say.records, records, locale))
}

/** Said of records that a picture of several sources has not; '' where it has them all. */
export function tellUnshown(count: number, locale: string): string {
  return count > 0 ? plural(byLanguage[localeOf(locale)].unshown, count, locale) : ''
}

/** So many values are named that match no region; more are counted. */
const mostNamed = 5

/** What of an answer a map of regions or of points has not. */
export interface Missing {
  setId: string
  /** How many values of the column of regions there are, and those that name no region. */
  values: number
  unmatched: readonly string[]
  /** How many regions several rows name. */
  repeated: number
  /** How many rows of a map of points have no place. */
  unplaced: number
  /** How many of its points lie outside of the picture, and the names of regions with a value that do. */
  outside: number
  hidden: readonly string[]
  /** Nothing is on the map, and why. */
  blank: 'borders' | 'names' | 'numbers' | 'places' | null
}

/** Why a map is blank, or what of its answer it has not; '' where it has all. */
export function tellMissing(missing: Missing, locale: string): string {
  const { setId, values, unmatched, repeated, unplaced, outside, hidden, blank } = missing
  const say = byLanguage[localeOf(locale)]
  const set = kinds[setId] ?? 'region'
  const { format: written } = new Intl.NumberFormat(locale)
  const listed = (names: readonly string[]) => ({
    named: names.slice(0, mostNamed).join(localeOf(locale) === 'ar' ? '، ' : ', '),
    more: Math.max(0, names.length - mostNamed),
  })
  const n = unmatched.length
  const told = { n, total: values, set, ...listed(unmatched), written }
  return [
    blank === null ? '' : blank === 'names' ? say.blank.names(set) : say.blank[blank],
    n > 0 && blank !== 'borders' ? say.unmatched(told) : '',
    repeated > 0 && blank === null ? plural(say.repeated, repeated, locale) : '',
    unplaced > 0 && blank === null ? plural(say.unplacedRows, unplaced, locale) : '',
    outside > 0 ? plural(say.outsidePoints, outside, locale) : '',
    hidden.length > 0 ? say.hidden({ n: hidden.length, ...listed(hidden), written }) : '',
  ]
    .filter(Boolean)
    .join(' ')
}
