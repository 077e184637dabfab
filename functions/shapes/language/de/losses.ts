import type { LossTexts } from '../losses.ts'

export const losses: LossTexts = {
  utc: 'Zeiten stehen in UTC.',
  repeatedHour:
    'Zeiten sind Ortszeiten der Zone, die im Spaltenkopf steht; eine Stunde, die die Uhren zweimal zeigen, wird nicht unterschieden.',
  textTimes: 'Zeiten sind Text.',
  before1900: 'Daten vor März 1900 sind Text.',
  cutNames: 'Feldnamen sind auf zehn Buchstaben gekürzt.',
  cutTexts: 'Texte sind nach 254 Byte abgeschnitten.',
  longTexts: 'Texte mit mehr als 32.767 Zeichen fehlen.',
  textLists: 'Listen und Zuordnungen sind Text.',
  textShapes: 'Formen sind Text.',
  oneShape: 'Von jeder Zeile ist nur die wichtigste Form enthalten.',
  roundedShapes: 'Positionen sind auf etwa einen Zentimeter gerundet.',
  onlyShapes: 'Nur Zeilen mit einer Form sind enthalten, Flächen als Umrisse.',
  oneText: 'Alle Felder stehen in einer Beschreibung.',
}
