import type { VisualizationType } from '../../analytics.ts'
import { plural } from '../../plural.ts'
import type { Need, Phrases } from '../phrases.ts'
import { figure } from './figure.ts'

const names: Record<VisualizationType, string> = {
  number: 'Eine Zahl',
  line: 'Eine Linie',
  bar: 'Ein Balkendiagramm',
  area: 'Ein Flächendiagramm',
  pie: 'Ein Kreisdiagramm',
  scatter: 'Ein Streudiagramm',
  heatmap: 'Eine Heatmap',
  histogram: 'Ein Histogramm',
  table: 'Eine Tabelle',
  map: 'Eine Karte',
  text: 'Ein Text',
}

const needs: Record<Need, string> = {
  sums: 'braucht eine Anzahl oder eine Summe: Andere Werte sind keine Teile eines Ganzen.',
  whole: 'braucht alle Teile eines Ganzen, und eine Grenze hat einige ausgelassen.',
  places: 'braucht Punkte oder eine Spalte, die Regionen nennt.',
  twoNumbers: 'braucht zwei Zahlen.',
  number: 'braucht eine Zahl.',
  twoGroupings: 'braucht zwei Gruppierungen.',
  along: 'braucht fortlaufende Daten oder Zahlen.',
  compared: 'braucht etwas zum Vergleichen.',
  counted: 'braucht Zahlen zum Zählen.',
}

/** Names have unknown gender and number, so the text follows a colon. */
const withColon = (name: string, text: string) => `${name}: ${text}`

export const phrases: Phrases = {
  figure,
  nothing: 'Noch keine Daten.',
  noData: 'Keine Daten',
  undrawable:
    'Diesem Bild fehlen die Buchstaben mancher Schriften: „…“ steht für sie. Die Tabelle hat den ganzen Text.',
  yes: 'Ja',
  no: 'Nein',
  other: 'Andere',
  count: 'Anzahl',
  values: 'Werte',
  days: 'Tage',
  quarter: (quarter) => `Q${quarter}`,
  quarterOfYear: (quarter, year) => `Q${quarter} ${year}`,
  decade: (year) => `${year}er-Jahre`,
  firstPartTitle: (title, part, all) => `${title}, die ersten ${part} von ${all}`,
  inColour: (title, colours, all) => `${title}, die ${colours} größten von ${all} in Farbe`,
  circlesBy: (title, size) => `${title}; Kreise nach ${size}`,
  tableRows: { one: '{n} Zeile', other: '{n} Zeilen' },
  tableColumns: { one: '{n} Spalte', other: '{n} Spalten' },
  more: (what) => `und ${what} mehr`,
  seriesPartTitle: (title, part, all) => `${title}, ${part} von ${all} Reihen`,
  others: { one: '{n} weitere', other: '{n} weitere' },
  othersSum: (others, sum) => `${others} ergeben zusammen ${sum}.`,
  othersAsOne: (others) => `${others} sind zusammengefasst.`,
  barsCut: (part, all) => `Das Diagramm zeigt die ersten ${part} von ${all}.`,
  where: {
    for: (text) => `für ${text}`,
    without: (name) => `ohne ${name || 'Wert'}`,
    // A year is "im Jahr 2012", a month "im Januar 2012".
    in: (text) => (/^\D/.test(text) ? `im ${text}` : `im Jahr ${text}`),
    quarter: (text) => `in ${text}`,
    decade: (text) => `in den ${text.replace(/Jahre$/, 'Jahren')}`,
    week: (text) => `in der Woche vom ${text}`,
    day: (text) => `am ${text}`,
    weekday: (text) => `am ${text}`,
    moment: (text) => `am ${text}`,
    clock: (text) => `um ${text}`,
  },
  both: (one, another) => `${one} und ${another}`,
  withOthers: (one, others) => `${one} und ${others} weitere`,
  changed: ({ name, isRise, before, then, now, when, turn }) =>
    withColon(name, `${isRise ? 'Anstieg' : 'Rückgang'} von ${before} ${then} auf ${now} ${when}${turn}.`),
  unchanged: (name, now, when, then, turn) => withColon(name, `${now} ${when}, gleich wie ${then}${turn}.`),
  alike: (name, now, when, then, turn) => withColon(name, `${now} ${when}, fast gleich wie ${then}${turn}.`),
  turned: {
    peak: (value, when) => `, nach einem Höchststand von ${value} ${when}`,
    low: (value, when) => `, nach einem Tiefststand von ${value} ${when}`,
  },
  between: (name, least, leastAt, most, mostAt) =>
    withColon(name, `zwischen ${least} ${leastAt} und ${most} ${mostAt}.`),
  partial: 'unvollständig',
  functions: {
    distinctCount: 'verschiedene Werte',
    average: 'Durchschnitt',
    median: 'Median',
    min: 'Minimum',
    max: 'Maximum',
  },
  came: (name, value, where) => withColon(name, `${value}${where && ` ${where}`}.`),
  allSame: (name, value, cases, when) =>
    withColon(name, `${value} in allen ${cases} Fällen${when && ` ${when}`}.`),
  ranged: (name, most, mostAt, least, leastAt, when) =>
    withColon(name, `von ${most} ${mostAt} bis ${least} ${leastAt}${when && ` ${when}`}.`),
  ofCut: (name, part, total, rank) => {
    if (rank === null) return `${name}, ${part} von ${total}`
    const which = rank === 'largest' ? 'größte' : 'kleinste'
    return part === 1
      ? `${name}, der ${which} Wert von ${total}`
      : `${name}, die ${part} ${which}n Werte von ${total}`
  },
  about: (count) => `etwa ${count}`,
  cut: (part, total) => `Zu sehen sind ${part} von ${total}, nicht alle.`,
  rows: { one: 'Die Tabelle hat {n} Zeile.', other: 'Die Tabelle hat {n} Zeilen.' },
  points: { one: 'Die Karte zeigt {n} Punkt.', other: 'Die Karte zeigt {n} Punkte.' },
  areas: { one: 'Die Karte zeigt {n} Fläche.', other: 'Die Karte zeigt {n} Flächen.' },
  compared: { one: '{n} Punkt vergleicht', other: '{n} Punkte vergleichen' },
  comparing: (x, y) => `${x} mit ${y}.`,
  bin: ({ name, counted: counts, total, low, high, rest }) => {
    const more = {
      only: '',
      shared: ', und kein Bereich hat mehr',
      alone: ', mehr als in jedem anderen Bereich',
    }
    const all = plural({ one: '{n} Wert', other: '{n} Werten' }, total, 'de')
    return withColon(name, `${counts} von ${all} zwischen ${low} und ${high}${more[rest]}.`)
  },
  partWithout: (name) => `Ohne ${name}`,
  wholePart: (part, name) => withColon(part, `das Ganze von ${name}.`),
  part: (part, share, name, parts, beside) =>
    withColon(part, `${share} von ${name}, der größte von ${parts} Teilen${beside}.`),
  besides: (name) => `, gleichauf mit ${name}`,
  besidesMany: (others) => `, gleichauf mit ${others} weiteren`,
  misfit: {
    noColumn: (alias) => `Die Antwort hat keine Spalte „${alias}“.`,
    needs: (type, need) => `${names[type]} ${needs[need]}`,
    groupings: (type, most, count) =>
      `${names[type]} zeigt höchstens ${most === 1 ? 'eine Gruppierung' : 'zwei Gruppierungen'}; diese Antwort hat ${count}.`,
    asBars: 'Die Antwort ist als Balken gezeichnet.',
    asNumber: 'Die Antwort steht als Zahl da.',
    asTable: 'Die Antwort steht als Tabelle da.',
  },
}
