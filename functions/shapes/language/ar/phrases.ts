import type { VisualizationType } from '../../analytics.ts'
import { plural } from '../../plural.ts'
import type { Need, Phrases } from '../phrases.ts'
import { figure } from './figure.ts'

const names: Record<VisualizationType, string> = {
  number: 'الرقم',
  line: 'الخط',
  bar: 'مخطط الأعمدة',
  area: 'المخطط المساحي',
  pie: 'المخطط الدائري',
  scatter: 'مخطط التشتت',
  heatmap: 'الخريطة الحرارية',
  histogram: 'المدرج التكراري',
  table: 'الجدول',
  map: 'الخريطة',
  text: 'النص',
}

const needs: Record<Need, string> = {
  sums: 'عدد أو مجموع، فغيرهما ليس أجزاء من كل',
  whole: 'جميع أجزاء الكل، وقد استبعد الحد بعضها',
  places: 'نقاط أو عمود بأسماء المناطق',
  twoNumbers: 'رقمان',
  number: 'رقم',
  twoGroupings: 'تجميعان',
  along: 'تواريخ أو أرقام متتابعة',
  compared: 'ما يمكن مقارنته',
  counted: 'أرقام تُعدّ',
}

/** Follows "the largest" and "the smallest". */
const rankedValues = { one: 'قيمة', two: 'قيمتين', few: '{n} قيم', other: '{n} قيمة' }

export const phrases: Phrases = {
  figure,
  nothing: 'لا توجد بيانات بعد.',
  noData: 'لا توجد بيانات',
  undrawable: 'تنقص هذه الصورة حروف بعض الكتابات، وتحل «…» محلها. النص الكامل في الجدول.',
  yes: 'نعم',
  no: 'لا',
  other: 'أخرى',
  count: 'العدد',
  values: 'القيم',
  days: 'أيام',
  quarter: (quarter) => `الربع ${quarter}`,
  quarterOfYear: (quarter, year) => `الربع ${quarter} ${year}`,
  decade: (year) => `عقد ${year}`,
  firstPartTitle: (title, part, all) => `${title}، أول ${part} من ${all}`,
  inColour: (title, colours, all) => `${title}، أكبر ${colours} من ${all} بالألوان`,
  circlesBy: (title, size) => `${title}؛ حجم الدوائر حسب ${size}`,
  tableRows: {
    one: 'صف واحد',
    two: 'صفين',
    few: '{n} صفوف',
    many: '{n} صفًا',
    other: '{n} صف',
  },
  tableColumns: {
    one: 'عمود واحد',
    two: 'عمودين',
    few: '{n} أعمدة',
    many: '{n} عمودًا',
    other: '{n} عمود',
  },
  more: (what) => `بالإضافة إلى ${what}`,
  seriesPartTitle: (title, part, all) => `${title}، ${part} سلاسل من ${all}`,
  others: { other: '{n} أخرى' },
  othersSum: (others, sum) => `${others}: المجموع ${sum}.`,
  othersAsOne: (others) => `${others}: معروضة معًا.`,
  barsCut: (part, all) => `يعرض المخطط أول ${part} من ${all}.`,
  where: {
    for: (text) => `لـ ${text}`,
    without: (name) => `بدون ${name || 'قيمة'}`,
    in: (text) => `في ${text}`,
    quarter: (text) => `في ${text}`,
    decade: (text) => `في ${text}`,
    week: (text) => `في أسبوع ${text}`,
    day: (text) => `في ${text}`,
    weekday: (text) => `يوم ${text}`,
    moment: (text) => `في ${text}`,
    clock: (text) => `عند ${text}`,
  },
  both: (one, another) => `${one} و${another}`,
  withOthers: (one, others) => `${one} و${others} غيرها`,
  changed: ({ name, isRise, before, then, now, when, turn }) =>
    `${name}: ${isRise ? 'ارتفاع' : 'انخفاض'} من ${before} ${then} إلى ${now} ${when}${turn}.`,
  unchanged: (name, now, when, then, turn) => `${name}: ${now} ${when}، كما ${then}${turn}.`,
  alike: (name, now, when, then, turn) => `${name}: ${now} ${when}، تقريبًا كما ${then}${turn}.`,
  turned: {
    peak: (value, when) => `، بعد حد أعلى بلغ ${value} ${when}`,
    low: (value, when) => `، بعد حد أدنى بلغ ${value} ${when}`,
  },
  between: (name, least, leastAt, most, mostAt) => `${name}: بين ${least} ${leastAt} و${most} ${mostAt}.`,
  partial: 'جزئي',
  functions: {
    distinctCount: 'القيم المختلفة',
    average: 'المتوسط',
    median: 'الوسيط',
    min: 'الأدنى',
    max: 'الأعلى',
  },
  came: (name, value, where) => `${name}: ${value}${where && ` ${where}`}.`,
  allSame: (name, value, cases, when) => `${name}: ${value} في جميع الحالات (${cases})${when && ` ${when}`}.`,
  ranged: (name, most, mostAt, least, leastAt, when) =>
    `${name}: من ${most} ${mostAt} إلى ${least} ${leastAt}${when && ` ${when}`}.`,
  ofCut: (name, part, total, rank) => {
    if (rank === null) return `${name}، ${part} من ${total}`
    const which = rank === 'largest' ? 'أعلى' : 'أدنى'
    return `${name}، ${which} ${plural(rankedValues, part, 'ar-u-nu-latn')} من ${total}`
  },
  about: (count) => `نحو ${count}`,
  cut: (part, total) => `يُعرض ${part} من ${total}، وليس الكل.`,
  rows: {
    zero: 'الجدول بلا صفوف.',
    one: 'في الجدول صف واحد.',
    two: 'في الجدول صفان.',
    few: 'في الجدول {n} صفوف.',
    many: 'في الجدول {n} صفًا.',
    other: 'في الجدول {n} صف.',
  },
  points: {
    zero: 'الخريطة بلا نقاط.',
    one: 'تعرض الخريطة نقطة واحدة.',
    two: 'تعرض الخريطة نقطتين.',
    few: 'تعرض الخريطة {n} نقاط.',
    many: 'تعرض الخريطة {n} نقطة.',
    other: 'تعرض الخريطة {n} نقطة.',
  },
  areas: {
    zero: 'الخريطة بلا مناطق.',
    one: 'تعرض الخريطة منطقة واحدة.',
    two: 'تعرض الخريطة منطقتين.',
    few: 'تعرض الخريطة {n} مناطق.',
    many: 'تعرض الخريطة {n} منطقة.',
    other: 'تعرض الخريطة {n} منطقة.',
  },
  compared: {
    one: 'نقطة واحدة تقارن',
    two: 'نقطتان تقارنان',
    few: '{n} نقاط تقارن',
    many: '{n} نقطة تقارن',
    other: '{n} نقطة تقارن',
  },
  comparing: (x, y) => `${x} مع ${y}.`,
  bin: ({ name, counted: counts, total, low, high, rest }) => {
    const more = { only: '', shared: '، ولا يوجد نطاق فيه أكثر', alone: '، أكثر من أي نطاق آخر' }
    return `${name}: ${counts} من أصل ${total} بين ${low} و${high}${more[rest]}.`
  },
  partWithout: (name) => `بدون ${name}`,
  wholePart: (part, name) => `${part}: كامل ${name}.`,
  part: (part, share, name, parts, beside) =>
    `${part}: ${share} من ${name}، الجزء الأكبر من أصل ${parts}${beside}.`,
  besides: (name) => `، بالتساوي مع ${name}`,
  besidesMany: (others) => `، بالتساوي مع ${others} غيره`,
  misfit: {
    noColumn: (alias) => `لا يوجد في الإجابة عمود «${alias}».`,
    needs: (type, need) => `${names[type]}: يلزم ${needs[need]}.`,
    groupings: (type, most, count) =>
      `${names[type]}: ${most === 1 ? 'تجميع واحد' : 'تجميعان'} على الأكثر؛ في هذه الإجابة ${count}.`,
    asBars: 'عُرضت الإجابة كأعمدة.',
    asNumber: 'عُرضت الإجابة كرقم.',
    asTable: 'عُرضت الإجابة كجدول.',
  },
}
