import type { Loss } from '#functions/shapes/exportLosses.ts'
import { localeOf, type Locale } from '#functions/shapes/locale.ts'

/** What a file cannot hold as it is: a sentence each. Apart from the other words, which every screen of the workspace loads. */
const sentences: Record<Locale, Record<Loss, string>> = {
  en: {
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
  },
  es: {
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
  },
  fr: {
    utc: 'Les heures sont en UTC.',
    repeatedHour:
      'Les heures sont locales, du fuseau indiqué en tête de colonne ; une heure que les horloges répètent n’est pas distinguée.',
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
  },
  ar: {
    utc: 'الأوقات بالتوقيت العالمي المنسق (UTC).',
    repeatedHour:
      'الأوقات محلية، بحسب المنطقة الزمنية المذكورة في رأس العمود؛ والساعة التي تتكرر عند تغيير التوقيت لا تُميَّز.',
    textTimes: 'الأوقات نصوص.',
    before1900: 'التواريخ قبل مارس 1900 نصوص.',
    cutNames: 'تُقصَّر أسماء الحقول إلى عشرة أحرف.',
    cutTexts: 'تُقصَّر النصوص عند 254 بايت.',
    longTexts: 'تُحذف النصوص التي تزيد على 32,767 حرفًا.',
    textLists: 'القوائم وجداول القيم نصوص.',
    textShapes: 'الأشكال نصوص.',
    oneShape: 'لا يتضمن إلا الشكل الرئيسي لكل صف.',
    roundedShapes: 'تُقرَّب المواقع إلى نحو سنتيمتر واحد.',
    onlyShapes: 'لا يتضمن إلا الصفوف ذات الشكل، والمساحات كحدود خارجية.',
    oneText: 'الحقول في وصف واحد.',
  },
}

/** What a file cannot hold as it is, in sentences. */
export const lossText = (losses: readonly Loss[], locale: string): string =>
  losses.map((loss) => sentences[localeOf(locale)][loss]).join(' ')
