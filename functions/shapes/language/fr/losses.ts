import type { LossTexts } from '../losses.ts'

export const losses: LossTexts = {
  utc: 'Les heures sont en UTC.',
  repeatedHour:
    'Les heures sont locales, du fuseau indiqué en tête de colonne\u00a0; une heure que les horloges répètent n’est pas distinguée.',
  textTimes: 'Les heures sont du texte.',
  before1900: 'Les dates antérieures à mars 1900 sont du texte.',
  cutNames: 'Les noms des champs sont coupés à dix lettres.',
  cutTexts: 'Les textes sont coupés à 254 octets.',
  longTexts: 'Les textes de plus de 32 767 caractères sont omis.',
  textLists: 'Les listes et les tables de valeurs sont du texte.',
  textShapes: 'Les formes sont du texte.',
  oneShape: 'Seule la forme principale de chaque ligne y figure.',
  roundedShapes: 'Les positions sont arrondies à environ un centimètre.',
  onlyShapes: 'Seules les lignes ayant une forme y figurent, les zones en contours.',
  oneText: 'Les champs figurent dans une seule description.',
}
