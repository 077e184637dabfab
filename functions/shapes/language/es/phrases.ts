import type { VisualizationType } from '../../analytics.ts'
import type { Need, Phrases } from '../phrases.ts'
import { figure } from './figure.ts'

const names: Record<VisualizationType, string> = {
  number: 'Un número',
  line: 'Una línea',
  bar: 'Un gráfico de barras',
  area: 'Un área',
  pie: 'Un gráfico circular',
  scatter: 'Un gráfico de dispersión',
  heatmap: 'Un mapa de calor',
  histogram: 'Un histograma',
  table: 'Una tabla',
  map: 'Un mapa',
  text: 'Un texto',
}

const needs: Record<Need, string> = {
  sums: 'necesita una cantidad o una suma: otros valores no son partes de un todo.',
  whole: 'necesita todas las partes de un todo, y un límite dejó fuera algunas.',
  places: 'necesita puntos o una columna con nombres de regiones.',
  twoNumbers: 'necesita dos números.',
  number: 'necesita un número.',
  twoGroupings: 'necesita dos agrupaciones.',
  along: 'necesita fechas o números a lo largo de los que avanzar.',
  compared: 'necesita algo que comparar.',
  counted: 'necesita números que contar.',
}

export const phrases: Phrases = {
  figure,
  nothing: 'Todavía no hay datos.',
  noData: 'Sin datos',
  undrawable:
    'A esta imagen le faltan letras de algunas escrituras: «…» está en su lugar. La tabla tiene el texto completo.',
  yes: 'Sí',
  no: 'No',
  other: 'Otros',
  count: 'Cantidad',
  values: 'Valores',
  days: 'días',
  quarter: (quarter) => `T${quarter}`,
  quarterOfYear: (quarter, year) => `T${quarter} ${year}`,
  decade: (year) => `década de ${year}`,
  firstPartTitle: (title, part, all) => `${title}, primeros ${part} de ${all}`,
  inColour: (title, colours, all) => `${title}, en color los ${colours} mayores de ${all}`,
  circlesBy: (title, size) => `${title}; círculos según ${size}`,
  tableRows: { one: '{n} fila', other: '{n} filas' },
  tableColumns: { one: '{n} columna', other: '{n} columnas' },
  more: (what) => `y ${what} más`,
  seriesPartTitle: (title, part, all) => `${title}, ${part} de ${all} series`,
  others: { one: 'Otro {n}', other: 'Otros {n}' },
  othersSum: (others, sum) => `${others} suman ${sum} en conjunto.`,
  othersAsOne: (others) => `${others} se muestran juntos.`,
  barsCut: (part, all) => `El gráfico muestra los primeros ${part} de ${all}.`,
  where: {
    for: (text) => `para ${text}`,
    without: (name) => `sin ${name || 'valor'}`,
    in: (text) => `en ${text}`,
    quarter: (text) => `en el ${text}`,
    decade: (text) => `en la ${text}`,
    week: (text) => `en la semana del ${text}`,
    day: (text) => `el ${text}`,
    weekday: (text) => `el ${text}`,
    moment: (text) => `el ${text}`,
    clock: (text) => `a las ${text}`,
  },
  both: (one, another) => `${one} y ${another}`,
  withOthers: (one, others) => `${one} y otros ${others}`,
  changed: ({ name, isRise, before, then, now, when, turn }) =>
    `${name}: ${isRise ? 'aumento' : 'descenso'} de ${before} ${then} a ${now} ${when}${turn}.`,
  unchanged: (name, now, when, then, turn) => `${name}: ${now} ${when}, igual que ${then}${turn}.`,
  alike: (name, now, when, then, turn) => `${name}: ${now} ${when}, casi igual que ${then}${turn}.`,
  turned: {
    peak: (value, when) => `, tras un máximo de ${value} ${when}`,
    low: (value, when) => `, tras un mínimo de ${value} ${when}`,
  },
  between: (name, least, leastAt, most, mostAt) => `${name}: entre ${least} ${leastAt} y ${most} ${mostAt}.`,
  partial: 'parcial',
  functions: {
    distinctCount: 'distintos',
    average: 'media',
    median: 'mediana',
    min: 'mínimo',
    max: 'máximo',
  },
  came: (name, value, where) => `${name}: ${value}${where && ` ${where}`}.`,
  allSame: (name, value, cases, when) => `${name}: ${value} en los ${cases} casos${when && ` ${when}`}.`,
  ranged: (name, most, mostAt, least, leastAt, when) =>
    `${name}: de ${most} ${mostAt} a ${least} ${leastAt}${when && ` ${when}`}.`,
  ofCut: (name, part, total, rank) => {
    if (rank === null) return `${name}, ${part} de ${total}`
    const [one, many] = rank === 'largest' ? ['mayor', 'mayores'] : ['menor', 'menores']
    return part === 1
      ? `${name}, valor ${one} de ${total}`
      : `${name}, los ${part} valores ${many} de ${total}`
  },
  about: (count) => `unos ${count}`,
  cut: (part, total) => `Se muestran ${part} de ${total}, no todos.`,
  rows: { one: 'La tabla tiene {n} fila.', other: 'La tabla tiene {n} filas.' },
  points: { one: 'El mapa muestra {n} punto.', other: 'El mapa muestra {n} puntos.' },
  areas: { one: 'El mapa muestra {n} zona.', other: 'El mapa muestra {n} zonas.' },
  compared: { one: '{n} punto compara', other: '{n} puntos comparan' },
  comparing: (x, y) => `${x} con ${y}.`,
  bin: ({ name, counted: counts, total, low, high, rest }) => {
    const more = {
      only: '',
      shared: ', y ningún intervalo tiene más',
      alone: ', más que en cualquier otro intervalo',
    }
    return `${name}: ${counts} de ${total} valores entre ${low} y ${high}${more[rest]}.`
  },
  partWithout: (name) => `Sin ${name}`,
  wholePart: (part, name) => `${part}: la totalidad de ${name}.`,
  part: (part, share, name, parts, beside) =>
    `${part}: ${share} de ${name}, la mayor de ${parts} partes${beside}.`,
  besides: (name) => `, igualada con ${name}`,
  besidesMany: (others) => `, igualada con otras ${others}`,
  misfit: {
    noColumn: (alias) => `La respuesta no tiene la columna «${alias}».`,
    needs: (type, need) => `${names[type]} ${needs[need]}`,
    groupings: (type, most, count) =>
      `${names[type]} muestra ${most === 1 ? 'una agrupación' : 'dos agrupaciones'} como máximo; esta respuesta tiene ${count}.`,
    asBars: 'Se dibuja con barras.',
    asNumber: 'Se muestra como número.',
    asTable: 'Se muestra como tabla.',
  },
}
