/** Month names and abbreviations in English, German, French, Spanish, Portuguese, Italian and Dutch. None is ambiguous. */
const names = [
  'january|jan|januar|jänner|jän|janvier|janv|enero|ene|janeiro|gennaio|gen|januari',
  'february|feb|februar|février|févr|fév|febrero|fevereiro|fev|febbraio|februari',
  'march|mar|märz|mär|mrz|mars|marzo|março|maart|mrt',
  'april|apr|avril|avr|abril|abr|aprile',
  'may|mai|mayo|maio|maggio|mag|mei',
  'june|jun|juni|juin|junio|junho|giugno|giu',
  'july|jul|juli|juillet|juil|julio|julho|luglio|lug',
  'august|aug|août|aout|agosto|ago|augustus',
  'september|sept|sep|septembre|septiembre|setiembre|setembro|set|settembre',
  'october|oct|oktober|okt|octobre|octubre|outubro|out|ottobre|ott',
  'november|nov|novembre|noviembre|novembro',
  'december|dec|dezember|dez|décembre|déc|diciembre|dic|dezembro|dicembre',
]

const numbers = new Map(
  names.flatMap((list, i) => list.split('|').map((name): [string, number] => [name, i + 1])),
)

/** A pattern of all names, the longest first, as the group `name`. */
export const monthName = `(?<name>${[...numbers.keys()].toSorted((a, b) => b.length - a.length).join('|')})\\.?`

/** The number of a month by its name, 1 for January; 0 for anything else. */
export const getMonthNumber = (name: string): number => numbers.get(name.normalize('NFC').toLowerCase()) ?? 0
