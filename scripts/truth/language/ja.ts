import type { OracleLanguage } from '../oracle-language.ts'

export const japanese: OracleLanguage = {
  claims: {
    rise: /(増加|上昇)/,
    fall: /(減少|低下)/,
    same: /同じ/,
    nearly: /ほぼ同じ/,
    partial: /一部のみ/,
    nothing: /データはまだありません/,
    most: /大きい順に/,
    least: /小さい順に/,
    peak: /途中の最高は/,
    low: /途中の最低は/,
  },
  counts: {
    after: /^(件すべて|行|個の点|個の区域|個の部分|個の値|のうち|系列)/u,
    before: /(順に|最初の|(?<!値)のうち)$/u,
    othersBefore: /ほか$/u,
  },
  quarter: (n) => [`第${n}四半期`],
  quarterInYear: (quarter, year) => `${year}年${quarter}`,
  year: (year) => [`${year}年`],
  decade: (year) => [`${year}年代`],
  without: (name) => [`${name}なし`],
  directions: [['増加', '減少']],
  extremes: [['大きい順に', '小さい順に']],
  turningPoints: ['途中の最高は', '途中の最低は'],
  othersTogether: /ほか[\d,]+件の合計は.+です。$/,
}
