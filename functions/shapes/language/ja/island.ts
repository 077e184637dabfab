import type { IslandWords } from '../island.ts'

export const island: IslandWords = {
  searching: '検索中...',
  results: { other: '検索結果 {n}件' },
  none: '該当する結果はありません。',
  searchFailed: '検索できませんでした。',
  searchIncomplete: '一部の結果を読み込めませんでした。',
  kinds: { domain: '分野', topic: 'テーマ', indicator: '指標', story: 'データストーリー', map: '地図' },
  noLiveMap:
    'このブラウザーではインタラクティブ地図を描けません（WebGLがありません）。図と一覧はそのまま表示されます。',
  mapIncomplete: 'この地図の一部を読み込めませんでした。',
  tryAgain: '再試行',
  mapClasses: '階級の表示を切り替え',
  mapParts: '地図の部分',
  wholeMap: '地図全体',
  mapTime: {
    label: 'レコードの日付',
    from: '開始',
    to: '終了',
    play: '再生',
    pause: '一時停止',
    next: '次の期間',
    all: 'すべての期間',
    span: '{from}～{to}',
    shown: '表示中: {span}（{names}）。リストにはすべての期間が含まれます。',
  },
  mapPicture: 'この表示を画像として保存',
  mapPrint: 'この表示を印刷',
  mapEmbed: 'この表示を埋め込む',
  mapRegions: '地域とその値（GeoJSON）',
  mapControls: {
    'GeolocateControl.FindMyLocation': '現在地を表示',
    'GeolocateControl.LocationNotAvailable': '現在地を取得できません',
    'NavigationControl.ZoomIn': '拡大',
    'NavigationControl.ZoomOut': '縮小',
    'AttributionControl.ToggleAttribution': '出典の表示を切り替え',
    'Popup.Close': '閉じる',
    'CooperativeGesturesHandler.WindowsHelpText':
      'Ctrlキーを押しながらスクロールすると地図を拡大・縮小できます',
    'CooperativeGesturesHandler.MacHelpText': '⌘キーを押しながらスクロールすると地図を拡大・縮小できます',
    'CooperativeGesturesHandler.MobileHelpText': '地図は2本の指で動かしてください',
  },
}
