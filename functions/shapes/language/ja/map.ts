import type { MapTexts } from '../map.ts'

export const map: MapTexts = {
  records: { other: '{n}件のレコード' },
  points: { other: '{n}個の点' },
  circles: { other: '{n}個の円' },
  single: (records) => `地図上に${records}。`,
  gathered: (records, circles) => `${records}を${circles}で表示。`,
  manyShapes: '線や面は数が多すぎるか細かすぎて1つずつ描けないため、円で表します。',
  unplaced: { other: '{n}件のレコードには場所がありません。' },
  outside: { other: '{n}件のレコードはこの図の範囲外です。' },
  unshown: { other: '{n}件のレコードはこの図にありません（場所がないか、範囲外です）。' },
  unmatched: ({ n, total, set, names, more, writeCount }) =>
    `${writeCount(total)}個の値のうち${writeCount(n)}個は` +
    `${{ state: '州', county: '郡', country: '国', region: '地域' }[set]}に該当しません：` +
    `${names}${more > 0 ? `、ほか${writeCount(more)}個` : ''}。`,
  nameless: (set, amount) =>
    `${{ state: '州', county: '郡', country: '国', region: '地域' }[set]}のないレコードは地図にありません${amount && `（${amount}）`}。`,
  located: (set, origin) =>
    `各レコードは、「${set}」${origin && `（${origin}）`}の輪郭でその点がある地域に数えます。` +
    '輪郭が粗い所では、境界に近いレコードが隣の地域に数えられることがあります。',
  repeated: { other: '{n}個の地域には複数の値があり、地図はそれぞれ最初の値を示します。' },
  unplacedRows: { other: '{n}行には場所がありません。' },
  outsidePoints: { other: '{n}個の点はこの図の範囲外です。' },
  hidden: ({ n, names, more, writeCount }) =>
    `値のある${writeCount(n)}個の地域はこの図の範囲外です：${names}${more > 0 ? `、ほか${writeCount(more)}個` : ''}。`,
  blank: {
    borders: '境界データがないため地図を描けません。値は表にあります。',
    names: (set) =>
      `地図が空になります：${{ state: '州', county: '郡', country: '国', region: '地域' }[set]}を示す値がありません。` +
      '示している列、または別の地域を選んでください。',
    numbers: '地図が空になります：色分けに使う数値がありません。件数などの指標を追加してください。',
    places: '地図が空になります：場所のある行がありません。点の列、または経度と緯度を選んでください。',
  },
  live: (part, total) => `インタラクティブ地図には${total}のうち${part}を表示しています。`,
  byRegion: { region: '地域', points: '地点' },
  perArea: (measure, n) => `${measure}（${n || '1\u00a0'}km²あたり）`,
  perAttribute: (measure, n, of) => `${measure}（${of}${n || '1\u00a0'}あたり）`,
  undivided: { other: '{n}個の地域には値を割る数がないため、「データなし」と表示しています。' },
  scale: {
    middle: (length) => `中央で${length}`,
    areasOnly: '面積の比は正確ですが、距離は正確ではありません。',
  },
  areas: '面積は地図の簡略化した境界によるものです。',
  farParts: {
    alaska: 'アラスカ',
    hawaii: 'ハワイ',
    puertoRico: 'プエルトリコ',
    marianas: 'グアム・北マリアナ諸島',
    samoa: '米領サモア',
  },
  comma: '、',
}
