import type { MapTexts } from '../map.ts'

export const map: MapTexts = {
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
  unmatched: ({ n, total, set, names, more, writeCount }) =>
    `${writeCount(n)} ${n === 1 ? 'valeur' : 'valeurs'} sur ${writeCount(total)} ne ${n === 1 ? 'correspond' : 'correspondent'} à ` +
    `${{ state: 'aucun État', county: 'aucun comté', country: 'aucun pays', region: 'aucune région' }[set]}\u00a0: ` +
    `${names}${more > 0 ? ` et ${writeCount(more)} de plus` : ''}.`,
  nameless: (set, amount) =>
    `Les enregistrements sans ${{ state: 'État', county: 'comté', country: 'pays', region: 'région' }[set]} ne sont pas sur la carte` +
    `${amount && ` (${amount})`}.`,
  located: (set, origin) =>
    `Chaque enregistrement compte pour la région où se trouve son point, d’après les contours de «\u00a0${set}\u00a0»` +
    `${origin && ` (${origin})`}. ` +
    'Là où les contours sont grossiers, les enregistrements proches d’une limite peuvent compter pour la région voisine.',
  repeated: {
    one: '{n} région a plusieurs valeurs\u00a0; la carte en montre la première.',
    other: '{n} régions ont plusieurs valeurs\u00a0; la carte montre la première de chacune.',
  },
  unplacedRows: { one: '{n} ligne n’a pas de lieu.', other: '{n} lignes n’ont pas de lieu.' },
  outsidePoints: {
    one: '{n} point est en dehors de cette image.',
    other: '{n} points sont en dehors de cette image.',
  },
  hidden: ({ n, names, more, writeCount }) =>
    `${writeCount(n)} ${n === 1 ? 'région avec une valeur est' : 'régions avec une valeur sont'} en dehors de cette image\u00a0: ` +
    `${names}${more > 0 ? ` et ${writeCount(more)} de plus` : ''}.`,
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
  live: (part, total) => `La carte interactive montre ${part} sur ${total}.`,
  byRegion: { region: 'Région', points: 'Points' },
  perArea: (measure, n) => `${measure} par ${n}km²`,
  perAttribute: (measure, n, of) => (n ? `${measure} pour ${n}${of}` : `${measure} par ${of}`),
  undivided: {
    one: '{n} région n’a rien par quoi diviser sa valeur : elle apparaît comme « aucune donnée ».',
    other:
      '{n} régions n’ont rien par quoi diviser leurs valeurs : elles apparaissent comme « aucune donnée ».',
  },
  scale: {
    middle: (length) => `${length} au milieu`,
    areasOnly: 'Les surfaces sont à l’échelle, les distances non.',
  },
  areas: 'Les superficies sont celles des limites simplifiées de la carte.',
  farParts: {
    alaska: 'Alaska',
    hawaii: 'Hawaï',
    puertoRico: 'Porto Rico',
    marianas: 'Guam et Mariannes du Nord',
    samoa: 'Samoa américaines',
  },
  comma: ', ',
}
