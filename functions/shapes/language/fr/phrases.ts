import type { VisualizationType } from '../../analytics.ts'
import type { Need, Phrases } from '../phrases.ts'
import { figure } from './figure.ts'

const names: Record<VisualizationType, string> = {
  number: 'Un nombre',
  line: 'Une courbe',
  bar: 'Un graphique en barres',
  area: 'Une aire',
  pie: 'Un graphique circulaire',
  scatter: 'Un nuage de points',
  heatmap: 'Une carte de chaleur',
  histogram: 'Un histogramme',
  table: 'Un tableau',
  map: 'Une carte',
  text: 'Un texte',
}

const needs: Record<Need, string> = {
  sums: 'demande un nombre ou une somme\u00a0: d’autres valeurs ne sont pas les parts d’un tout.',
  whole: 'a besoin de toutes les parts d’un tout, et une limite en a écarté.',
  places: 'demande des points, ou une colonne qui nomme des régions.',
  twoNumbers: 'demande deux nombres.',
  number: 'demande un nombre.',
  twoGroupings: 'demande deux regroupements.',
  along: 'demande des dates ou des nombres à parcourir.',
  compared: 'demande quelque chose à comparer.',
  counted: 'demande des nombres à compter.',
}

/** Joins a name and a text with a colon: in French a no-break space precedes it. */
const withColon = (name: string, text: string) => `${name}\u00a0: ${text}`

export const phrases: Phrases = {
  figure,
  nothing: 'Pas encore de données.',
  noData: 'Pas de données',
  undrawable:
    'Il manque à cette image les lettres de certaines écritures : « … » les remplace. Le tableau contient le texte complet.',
  yes: 'Oui',
  no: 'Non',
  other: 'Autres',
  count: 'Nombre',
  values: 'Valeurs',
  days: 'jours',
  quarter: (quarter) => `T${quarter}`,
  quarterOfYear: (quarter, year) => `T${quarter} ${year}`,
  decade: (year) => `années ${year}`,
  firstPartTitle: (title, part, all) => `${title}, ${part} premiers sur ${all}`,
  inColour: (title, colours, all) => `${title}, en couleur les ${colours} plus grands sur ${all}`,
  circlesBy: (title, size) => `${title}\u00a0; cercles selon ${size}`,
  tableRows: { one: '{n} ligne', other: '{n} lignes' },
  tableColumns: { one: '{n} colonne', other: '{n} colonnes' },
  more: (what) => `et ${what} de plus`,
  seriesPartTitle: (title, part, all) => `${title}, ${part} séries sur ${all}`,
  others: { one: '{n} autre', other: '{n} autres' },
  othersSum: (others, sum) => `${others} totalisent ${sum}.`,
  othersAsOne: (others) => `${others} sont regroupés.`,
  barsCut: (part, all) => `Le graphique montre les ${part} premiers sur ${all}.`,
  where: {
    for: (text) => `pour ${text}`,
    without: (name) => `sans ${name || 'valeur'}`,
    in: (text) => `en ${text}`,
    quarter: (text) => `au ${text}`,
    decade: (text) => `dans les ${text}`,
    week: (text) => `la semaine du ${text}`,
    day: (text) => `le ${text}`,
    weekday: (text) => `le ${text}`,
    moment: (text) => `le ${text}`,
    clock: (text) => `à ${text}`,
  },
  both: (one, another) => `${one} et ${another}`,
  withOthers: (one, others) => `${one} et ${others} autres`,
  changed: ({ name, isRise, before, then, now, when, turn }) =>
    withColon(name, `${isRise ? 'hausse' : 'baisse'} de ${before} ${then} à ${now} ${when}${turn}.`),
  unchanged: (name, now, when, then, turn) => withColon(name, `${now} ${when}, comme ${then}${turn}.`),
  alike: (name, now, when, then, turn) => withColon(name, `${now} ${when}, à peu près comme ${then}${turn}.`),
  turned: {
    peak: (value, when) => `, après un maximum de ${value} ${when}`,
    low: (value, when) => `, après un minimum de ${value} ${when}`,
  },
  between: (name, least, leastAt, most, mostAt) =>
    withColon(name, `entre ${least} ${leastAt} et ${most} ${mostAt}.`),
  partial: 'incomplet',
  functions: {
    distinctCount: 'valeurs distinctes',
    average: 'moyenne',
    median: 'médiane',
    min: 'minimum',
    max: 'maximum',
  },
  came: (name, value, where) => withColon(name, `${value}${where && ` ${where}`}.`),
  allSame: (name, value, cases, when) =>
    withColon(name, `${value} dans les ${cases} cas${when && ` ${when}`}.`),
  ranged: (name, most, mostAt, least, leastAt, when) =>
    withColon(name, `de ${most} ${mostAt} à ${least} ${leastAt}${when && ` ${when}`}.`),
  ofCut: (name, part, total, rank) => {
    if (rank === null) return `${name}, ${part} sur ${total}`
    const which = rank === 'largest' ? 'élevée' : 'basse'
    return part === 1
      ? `${name}, valeur la plus ${which} sur ${total}`
      : `${name}, les ${part} valeurs les plus ${which}s sur ${total}`
  },
  about: (count) => `environ ${count}`,
  cut: (part, total) => `${part} sur ${total} sont affichés, pas tous.`,
  rows: { one: 'Le tableau a {n} ligne.', other: 'Le tableau a {n} lignes.' },
  points: { one: 'La carte montre {n} point.', other: 'La carte montre {n} points.' },
  areas: { one: 'La carte montre {n} zone.', other: 'La carte montre {n} zones.' },
  compared: { one: '{n} point compare', other: '{n} points comparent' },
  comparing: (x, y) => `${x} avec ${y}.`,
  bin: ({ name, counted: counts, total, low, high, rest }) => {
    const more = {
      only: '',
      shared: ', et aucun intervalle n’en a plus',
      alone: ', plus que dans tout autre intervalle',
    }
    return withColon(name, `${counts} valeurs sur ${total} entre ${low} et ${high}${more[rest]}.`)
  },
  partWithout: (name) => `Sans ${name}`,
  wholePart: (part, name) => withColon(part, `la totalité de ${name}.`),
  part: (part, share, name, parts, beside) =>
    withColon(part, `${share} de ${name}, la plus grande de ${parts} parts${beside}.`),
  besides: (name) => `, à égalité avec ${name}`,
  besidesMany: (others) => `, à égalité avec ${others} autres`,
  misfit: {
    noColumn: (alias) => `La réponse n’a pas de colonne «\u00a0${alias}\u00a0».`,
    needs: (type, need) => `${names[type]} ${needs[need]}`,
    groupings: (type, most, count) =>
      `${names[type]} montre ${most === 1 ? 'un regroupement' : 'deux regroupements'} au plus\u00a0; cette réponse en a ${count}.`,
    asBars: 'Elle est dessinée en barres.',
    asNumber: 'Elle est donnée en nombre.',
    asTable: 'Elle est donnée en tableau.',
  },
}
