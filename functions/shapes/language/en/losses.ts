import type { LossTexts } from '../losses.ts'

export const losses: LossTexts = {
  utc: 'Times are in UTC.',
  repeatedHour:
    'Times are local, in the zone that the column’s head names; an hour that clocks show twice is not told apart.',
  textTimes: 'Times are text.',
  before1900: 'Dates before March 1900 are text.',
  cutNames: 'Names of fields are cut to ten letters.',
  cutTexts: 'Texts are cut at 254 bytes.',
  longTexts: 'Texts of more than 32,767 characters are left out.',
  textLists: 'Lists and maps are text.',
  textShapes: 'Shapes are text.',
  oneShape: 'Only the main shape of a row is in it.',
  roundedShapes: 'Positions are rounded to about a centimetre.',
  onlyShapes: 'Only rows with a shape are in it, areas as outlines.',
  oneText: 'Fields stand in one description.',
}
