import type { LossTexts } from '../losses.ts'

export const losses: LossTexts = {
  utc: 'Las horas están en UTC.',
  repeatedHour:
    'Las horas son locales, de la zona que indica el título de la columna; una hora que los relojes repiten no se distingue.',
  textTimes: 'Las horas son texto.',
  before1900: 'Las fechas anteriores a marzo de 1900 son texto.',
  cutNames: 'Los nombres de los campos se cortan a diez letras.',
  cutTexts: 'Los textos se cortan a 254 bytes.',
  longTexts: 'Los textos de más de 32.767 caracteres se omiten.',
  textLists: 'Las listas y los mapas de valores son texto.',
  textShapes: 'Las formas son texto.',
  oneShape: 'Solo contiene la forma principal de cada fila.',
  roundedShapes: 'Las posiciones se redondean a un centímetro aproximadamente.',
  onlyShapes: 'Solo contiene las filas con forma; las áreas, como contornos.',
  oneText: 'Los campos están en una sola descripción.',
}
