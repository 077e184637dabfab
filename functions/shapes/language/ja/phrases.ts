import type { VisualizationType } from '../../analytics.ts'
import type { Need, Phrases } from '../phrases.ts'
import { figure } from './figure.ts'

const names: Record<VisualizationType, string> = {
  number: '数値',
  line: '折れ線グラフ',
  bar: '棒グラフ',
  area: '面グラフ',
  pie: '円グラフ',
  scatter: '散布図',
  heatmap: 'ヒートマップ',
  histogram: 'ヒストグラム',
  table: '表',
  map: '地図',
  text: '文章',
}

const needs: Record<Need, string> = {
  sums: '件数または合計が必要です。ほかの値は全体の一部になりません。',
  whole: '全体のすべての部分が必要ですが、上限により一部が除かれています。',
  places: '点、または地域を示す列が必要です。',
  twoNumbers: '数値が2つ必要です。',
  number: '数値が必要です。',
  twoGroupings: 'グループ化が2つ必要です。',
  along: '順に並ぶ日付または数値が必要です。',
  compared: '比較する対象が必要です。',
  counted: '数える数値が必要です。',
}

/** The group or time of a value follows it in parentheses: "571（1991年）". */
const appendInParentheses = (value: string, where: string) => `${value}${where && `（${where}）`}`

export const phrases: Phrases = {
  figure,
  nothing: 'データはまだありません。',
  noData: 'データなし',
  undrawable: 'この画像では一部の文字を表示できないため「…」で示しています。表には全文があります。',
  yes: 'はい',
  no: 'いいえ',
  other: 'その他',
  count: '件数',
  values: '値',
  days: '日',
  quarter: (quarter) => `第${quarter}四半期`,
  quarterOfYear: (quarter, year) => `${year}年第${quarter}四半期`,
  decade: (year) => `${year}年代`,
  firstPartTitle: (title, part, all) => `${title}（${all}のうち最初の${part}）`,
  inColour: (title, colours, all) => `${title}（${all}のうち上位${colours}を色分け）`,
  circlesBy: (title, size) => `${title}（円の大きさは${size}）`,
  tableRows: { other: '{n}行' },
  tableColumns: { other: '{n}列' },
  more: (what) => `ほか${what}`,
  seriesPartTitle: (title, part, all) => `${title}（${all}系列のうち${part}系列）`,
  others: { other: 'ほか{n}件' },
  othersSum: (others, sum) => `${others}の合計は${sum}です。`,
  othersAsOne: (others) => `${others}はまとめて示しています。`,
  barsCut: (part, all) => `グラフは${all}のうち最初の${part}を示しています。`,
  where: {
    for: (text) => text,
    without: (name) => `${name || '値'}なし`,
    // A year is "2012年"; months already have their own character.
    in: (text) => (/^\d+$/.test(text) ? `${text}年` : text),
    quarter: (text) => text,
    decade: (text) => text,
    week: (text) => `${text}の週`,
    day: (text) => text,
    weekday: (text) => text,
    moment: (text) => text,
    clock: (text) => text,
  },
  both: (one, another) => `${one}と${another}`,
  withOthers: (one, others) => `${one}、ほか${others}件`,
  changed: ({ name, isRise, before, then, now, when, turn }) =>
    `${name}：${appendInParentheses(before, then)}から${appendInParentheses(now, when)}に${isRise ? '増加' : '減少'}${turn}。`,
  unchanged: (name, now, when, then, turn) =>
    `${name}：${appendInParentheses(now, when)}、${then}と同じ${turn}。`,
  alike: (name, now, when, then, turn) =>
    `${name}：${appendInParentheses(now, when)}、${then}とほぼ同じ${turn}。`,
  turned: {
    peak: (value, when) => `、途中の最高は${appendInParentheses(value, when)}`,
    low: (value, when) => `、途中の最低は${appendInParentheses(value, when)}`,
  },
  between: (name, least, leastAt, most, mostAt) =>
    `${name}：${appendInParentheses(least, leastAt)}から${appendInParentheses(most, mostAt)}の間。`,
  partial: '一部のみ',
  functions: {
    distinctCount: '異なる値の数',
    average: '平均',
    median: '中央値',
    min: '最小',
    max: '最大',
  },
  came: (name, value, where) => `${name}：${appendInParentheses(value, where)}。`,
  allSame: (name, value, cases, when) => `${name}：${cases}件すべてで${appendInParentheses(value, when)}。`,
  ranged: (name, most, mostAt, least, leastAt, when) =>
    `${name}：${appendInParentheses(`${appendInParentheses(most, mostAt)}から${appendInParentheses(least, leastAt)}まで`, when)}。`,
  ofCut: (name, part, total, rank) => {
    if (rank === null) return `${name}（${total}のうち${part}）`
    const which = rank === 'largest' ? '大きい' : '小さい'
    return `${name}（${total}のうち${which}順に${part}）`
  },
  about: (count) => `約${count}`,
  cut: (part, total) => `${total}のうち${part}を表示しており、すべてではありません。`,
  rows: { other: '表は{n}行です。' },
  points: { other: '地図に{n}個の点を示しています。' },
  areas: { other: '地図に{n}個の区域を示しています。' },
  compared: { other: '{n}個の点で比較:' },
  comparing: (x, y) => `${x}と${y}。`,
  bin: ({ name, counted: counts, total, low, high, rest }) => {
    const more = { only: '', shared: '、これより多い区間はありません', alone: '、ほかのどの区間よりも多い' }
    return `${name}：${counts}個（${total}個の値のうち）が${low}から${high}の間${more[rest]}。`
  },
  partWithout: (name) => `${name}なし`,
  wholePart: (part, name) => `${part}：${name}のすべて。`,
  part: (part, share, name, parts, beside) =>
    `${part}：${name}の${share}、${parts}個の部分のうち最大${beside}。`,
  besides: (name) => `（${name}と同率）`,
  besidesMany: (others) => `（ほか${others}個と同率）`,
  misfit: {
    noColumn: (alias) => `回答に「${alias}」という列はありません。`,
    needs: (type, need) => `${names[type]}には${needs[need]}`,
    groupings: (type, most, count) =>
      `${names[type]}で示せるグループ化は${most}つまでですが、この回答には${count}つあります。`,
    asBars: '棒グラフで示しています。',
    asNumber: '数値で示しています。',
    asTable: '表で示しています。',
  },
}
