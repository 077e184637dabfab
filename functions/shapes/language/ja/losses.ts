import type { LossTexts } from '../losses.ts'

export const losses: LossTexts = {
  utc: '時刻はUTCです。',
  repeatedHour: '時刻は列見出しに示す地域の現地時刻です。時計が2回示す1時間は区別されません。',
  textTimes: '時刻は文字列です。',
  before1900: '1900年3月より前の日付は文字列です。',
  cutNames: '項目名は10文字で切られます。',
  cutTexts: '文字列は254バイトで切られます。',
  longTexts: '32,767文字を超える文字列は含まれません。',
  textLists: 'リストとマップは文字列です。',
  textShapes: '図形は文字列です。',
  oneShape: '各行の主な図形だけが含まれます。',
  roundedShapes: '位置は約1センチメートルに丸められます。',
  onlyShapes: '図形のある行だけが含まれ、面は輪郭線になります。',
  oneText: '項目はまとめて1つの説明文に入ります。',
}
