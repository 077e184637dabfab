import type { GuideTexts } from '../guide.ts'

export const guide: GuideTexts = {
  title: '「{name}」の使い方',
  intro: 'このデータ専用のアドレスと例です。アカウントもキーも要りません。',
  menus: 'メニュー名は各ツールの英語版のものです。',
  programs: 'プログラムで使う',
  programsText: 'どの例も全レコードを取得し、言語本体のほかに何も必要としません。',
  curl: '全レコードをCSVファイルに保存します。',
  python: 'pandasがあれば、pandas.read_csvで同じアドレスを読めます。',
  r: '全レコードをデータフレームに読み込みます。',
  console: 'ここで試す',
  consoleText: 'プログラムと同じようにレコードを取得し、届いた応答をそのまま表示します。',
  limit: 'レコード数の上限',
  search: '次の語を含むレコード',
  run: 'リクエストを送信',
  answer: '応答 {status}：{total}件中{rows}件、{ms} ミリ秒',
  failedAnswer: '応答 {status}、{ms} ミリ秒',
  unreachable: '応答がありません。接続を確かめて、もう一度お試しください。',
  tools: 'ツールで使う',
  excel: {
    steps: [
      '「Data」→「Get Data」→「From Other Sources」→「Blank Query」→「Advanced Editor」を開きます。',
      '表示された内容を次の行に置き換え、「Done」を選びます。',
      '接続方法を聞かれたら「Anonymous」を選び、「Close & Load」を選びます。',
    ],
    refresh: '「Refresh All」でレコードを取得し直します。',
  },
  sheets: {
    steps: ['空のシートを開きます。', 'セルA1に次の数式を貼り付けます。'],
    refresh:
      '開いているシートは約1時間ごとにファイルを取得し直します。スプレッドシートに入るのは1,000万セルまでです。',
  },
  powerbi: {
    steps: [
      'Power BI Desktopで「Get data」→「Blank query」→「Advanced editor」を選びます。',
      '表示された内容を次の行に置き換え、「Done」を選びます。',
      '接続方法を聞かれたら「Anonymous」を選びます。',
    ],
    refresh: 'Power BIサービスでの定期更新にゲートウェイは要りません。',
  },
  tableau: {
    steps: [
      '次のアドレスのファイルをダウンロードします。',
      '「Connect」→「To a File」で、GeoJSONなら「Spatial file」、CSVなら「Text file」を選びます。',
    ],
    refresh: 'ファイルを上書きでダウンロードし直し、抽出を更新します。',
  },
  arcgis: {
    steps: [
      'Map Viewerで「Layers」→「Add」→「Add layer from URL」を開きます。',
      '次のアドレスを貼り付け、種類に「GeoJSON」を選びます。',
    ],
    refresh: 'レイヤーのプロパティで「Refresh interval」を有効にします。',
  },
  arcgisTable: {
    steps: [
      'ArcGIS Onlineで「Content」→「New item」→「URL」を開きます。',
      '次のアドレスを貼り付け、種類に「CSV」を選びます。',
    ],
    refresh: 'アドレスを指定したレイヤーは、地図を開くたびに取得し直されます。',
  },
  qgis: {
    steps: [
      '「Layer」→「Add Layer」→「Add Vector Layer…」を開き、「Protocol: HTTP(S), cloud, etc.」を選びます。',
      '次のアドレスを「URI」に貼り付け、「Add」を選びます。',
    ],
    refresh: 'プロジェクトを開くたびにファイルを読み直します。',
  },
  qgisTable: {
    steps: [
      '「Layer」→「Add Layer」→「Add Vector Layer…」を開き、「Protocol: HTTP(S), cloud, etc.」を選びます。',
      '次のアドレスを「URI」に貼り付け、「Add」を選びます。レコードは地図のない表として読み込まれます。',
    ],
    refresh: 'プロジェクトを開くたびにファイルを読み直します。',
  },
  formats: 'すべての形式',
  formatsText: 'どの形式にも全レコードが入っています。',
  reference: 'APIで取得できるものの一覧',
}
