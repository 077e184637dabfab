import type { MapTexts } from '../map.ts'

export const map: MapTexts = {
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
  unmatched: ({ n, total, set, names, more, writeCount }) =>
    `${writeCount(n)} of ${writeCount(total)} ${total === 1 ? 'value matches' : n === 1 ? 'values matches' : 'values match'} no ${set}: ` +
    `${names}${more > 0 ? ` and ${writeCount(more)} more` : ''}.`,
  nameless: (set, amount) => `Records without a ${set} are not on the map${amount && ` (${amount})`}.`,
  located: (set, origin) =>
    `Each record counts for the region that its point lies in, by the outlines of “${set}”${origin && ` (${origin})`}. ` +
    'Where outlines are coarse, records close to a border can count for the neighbouring region.',
  repeated: {
    one: '{n} region has several values; the map shows the first of them.',
    other: '{n} regions have several values; the map shows the first of each.',
  },
  unplacedRows: { one: '{n} row has no place.', other: '{n} rows have no place.' },
  outsidePoints: {
    one: '{n} point lies outside of this picture.',
    other: '{n} points lie outside of this picture.',
  },
  hidden: ({ n, names, more, writeCount }) =>
    `${writeCount(n)} ${n === 1 ? 'region with a value lies' : 'regions with a value lie'} outside of this picture: ` +
    `${names}${more > 0 ? ` and ${writeCount(more)} more` : ''}.`,
  blank: {
    borders: 'The map cannot be drawn: its borders are missing. The table has the values.',
    names: (set) =>
      `The map would be blank: no value names a ${set}. Choose the column that does, or other regions.`,
    numbers: 'The map would be blank: there is no number to colour it by. Add a count or another measure.',
    places:
      'The map would be blank: no row has a place. Choose a column of points, or longitude and latitude.',
  },
  live: (part, total) => `The live map shows ${part} of ${total}.`,
  byRegion: { region: 'Region', points: 'Points' },
  perArea: (measure, n) => `${measure} per ${n}km²`,
  perAttribute: (measure, n, of) => `${measure} per ${n}${of}`,
  undivided: {
    one: '{n} region has nothing that its value could be divided by: it is shown as “no data”.',
    other: '{n} regions have nothing that their values could be divided by: they are shown as “no data”.',
  },
  scale: {
    middle: (length) => `${length} in the middle`,
    areasOnly: 'Areas are true to size, distances are not.',
  },
  areas: 'Areas are those of the simplified borders of the map.',
  farParts: {
    alaska: 'Alaska',
    hawaii: 'Hawaii',
    puertoRico: 'Puerto Rico',
    marianas: 'Guam and Northern Marianas',
    samoa: 'American Samoa',
  },
  comma: ', ',
}
