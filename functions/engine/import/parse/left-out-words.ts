/**
 * Beginnings of rows that are not records, in languages in which public bodies publish, as written,
 * case-insensitive. What may follow a form is defined where it is used.
 */
const totalForms = [
  'grand total|sub-?totals?|overall total|totals?|sum|overall',
  'total general|suma total|suma',
  'total général|sous-total|ensemble|somme',
  'gesamtsumme|zwischensumme|gesamtzahl|gesamt|insgesamt|summe|zusammen',
  'total geral|soma',
  'totale generale|totale complessivo|totali|totale|subtotale|somma|complesso',
  'eindtotaal|subtotaal|totaal|som',
  'المجموع الكلي|الإجمالي|الاجمالي|المجموع|إجمالي|مجموع',
  '合計|総計|小計|総数|計',
  '总计|合计|小计|總計',
  'всего|итого',
  'razem|ogółem',
  'totalt|summa|i alt|ialt|yhteensä|celkem|toplam|σύνολο|कुल',
  '합계|총계|소계',
].join('|')

const noteForms = [
  'notes?|sources?|footnotes?|remarks?|disclaimer|last updated?|updated|n\\.b\\.|copyright|licen[cs]e',
  'notas?|fuentes?|observaciones|actualizado',
  'remarques?|lecture|champ|mise à jour',
  'hinweise?|anmerkung(?:en)?|quellen?|stand|erläuterung(?:en)?|fußnoten?|bemerkung(?:en)?|lizenz',
  'fontes?|observaç(?:ão|ões)',
  'note|font[ei]|avvertenz[ae]|legenda',
  'bron|bronnen|opmerking(?:en)?|toelichting',
  'ملاحظات|ملاحظة|المصدر|مصدر',
  '注記|備考|出典|資料|注',
  '备注|来源|資料來源|数据来源|资料来源',
  'примечани[ея]|источник',
  'źródło|uwag[ai]|källa|anm|kilde|lähde|zdroj|poznámka|kaynak',
  '출처|주',
].join('|')

const exactTotal = new RegExp(`^(?:${totalForms})(?:\\s+(?:19|20)\\d\\d)?$`, 'iu')
const partOfTotal = new RegExp(`^(?:${totalForms})(?!\\p{L})|(?<!\\p{L})(?:${totalForms})$`, 'iu')
const introduction = new RegExp(`^\\(?(?:${noteForms})\\)?\\s*(?:\\d+\\s*)?(?:[:：.、)）\\-–—/]|\\s|$)`, 'iu')
/** A mark with its explanation: `* provisional`, `1) without X`, `p = preliminary`, `.. not available`, `© City`. */
const mark =
  /^(?:[*†‡§※©#¹²³⁴⁵⁶⁷⁸⁹]+\s*\S|\(?[a-z\d]{1,2}[)\]]\s*\S|\[[a-z\d]{1,2}\]\s*\S|[a-z]{1,2}\s*[=:]\s*\S|(?:\.{1,3}|…|[-–—])\s*[=:]?\s+\p{L})/iu

/** A cell without the marks and colons around its text. */
const withoutMarks = (text: string) => text.replace(/^[\s*†‡(]+|[\s:：.*†‡¹²³)]+$/gu, '')

/** Whether a text labels a total: as a whole, in part (`Total North`), or not. */
export function totalIn(text: string): 'whole' | 'part' | null {
  const bare = withoutMarks(text)
  if (exactTotal.test(bare)) return 'whole'
  return partOfTotal.test(bare) ? 'part' : null
}

/** Whether a text begins like notes and sources below tables. */
export const readsAsNote = (text: string) => introduction.test(text.trim()) || mark.test(text.trim())
