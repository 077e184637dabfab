import type { OracleLanguage } from '../oracle-language.ts'

export const arabic: OracleLanguage = {
  claims: {
    rise: /(ارتفاع|ارتفع|زاد|زيادة|ازداد)/,
    fall: /(انخفاض|انخفض|تراجع|هبط)/,
    same: /(كما|نفس|دون تغيير)/,
    nearly: /تقريبًا كما/,
    partial: /(جزئي|غير مكتمل)/,
    nothing: /لا توجد بيانات/,
    most: /أعلى\s+(قيم|قيمة) من/,
    least: /أدنى\s+(قيم|قيمة) من/,
    peak: /حد أعلى بلغ/i,
    low: /حد أدنى بلغ/i,
  },
  counts: {
    after: /^ (قيم|صفوف|صفًا|صف|نقاط|نقطة|مناطق|منطقة)(?!\p{L})|^ من (نحو )?\d+( ?[,.:،]|$)/u,
    before: /(?<!\p{L})(من أصل |الحالات \()$/u,
    of: /(?<!\p{L})من (نحو )?$/u,
    othersAfter: /^ غيره(ا)?(?!\p{L})/u,
  },
  quarter: (n) => [`الربع ${n}`],
  decade: (year) => [`عقد ${year}`],
  without: (name) => [`بدون ${name}`],
  directions: [['ارتفاع', 'انخفاض']],
  extremes: [['، أعلى ', '، أدنى ']],
  turningPoints: ['حد أعلى بلغ', 'حد أدنى بلغ'],
  othersTogether: /[\d,]+ أخرى: المجموع .+\.$/,
}
