import type { GuideTexts } from '../guide.ts'

export const guide: GuideTexts = {
  title: '„{name}“ verwenden',
  intro: 'Adressen und Beispiele für genau diese Daten. Weder ein Konto noch ein Schlüssel ist nötig.',
  menus: 'Menüs heißen hier wie in den englischen Fassungen der Werkzeuge.',
  programs: 'In einem Programm',
  programsText: 'Jedes Beispiel holt alle Einträge und braucht nichts als die Sprache selbst.',
  curl: 'Speichert alle Einträge als CSV-Datei.',
  python: 'Mit installiertem pandas liest pandas.read_csv dieselbe Adresse.',
  r: 'Liest alle Einträge in einen Data Frame.',
  console: 'Hier ausprobieren',
  consoleText: 'Fragt die Einträge ab wie ein Programm und zeigt die Antwort, wie sie kommt.',
  limit: 'Höchstens so viele Einträge',
  search: 'Einträge, die das enthalten',
  run: 'Anfrage senden',
  answer: 'Antwort {status}: {rows} von {total} Einträgen, nach {ms} ms',
  failedAnswer: 'Antwort {status}, nach {ms} ms',
  unreachable: 'Es kam keine Antwort. Bitte prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
  tools: 'In einem Werkzeug',
  excel: {
    steps: [
      'Öffnen Sie „Data“, „Get Data“, „From Other Sources“, „Blank Query“, dann „Advanced Editor“.',
      'Ersetzen Sie, was dort steht, durch diese Zeilen und wählen Sie „Done“.',
      'Fragt Excel nach der Art der Verbindung, wählen Sie „Anonymous“, dann „Close & Load“.',
    ],
    refresh: '„Refresh All“ holt die Einträge neu.',
  },
  sheets: {
    steps: ['Öffnen Sie ein leeres Tabellenblatt.', 'Fügen Sie diese Formel in die Zelle A1 ein.'],
    refresh:
      'Ein geöffnetes Blatt holt die Datei etwa stündlich neu. Eine Tabelle fasst höchstens 10 Millionen Zellen.',
  },
  powerbi: {
    steps: [
      'Wählen Sie in Power BI Desktop „Get data“, „Blank query“, dann „Advanced editor“.',
      'Ersetzen Sie, was dort steht, durch diese Zeilen und wählen Sie „Done“.',
      'Bei der Frage nach der Art der Verbindung wählen Sie „Anonymous“.',
    ],
    refresh: 'Eine geplante Aktualisierung im Power-BI-Dienst kommt ohne Gateway aus.',
  },
  tableau: {
    steps: [
      'Laden Sie die Datei an dieser Adresse herunter.',
      'Wählen Sie „Connect“, „To a File“: „Spatial file“ für GeoJSON, „Text file“ für CSV.',
    ],
    refresh: 'Laden Sie die Datei erneut über die alte herunter und aktualisieren Sie den Auszug.',
  },
  arcgis: {
    steps: [
      'Öffnen Sie im Map Viewer „Layers“, „Add“, „Add layer from URL“.',
      'Fügen Sie diese Adresse ein und wählen Sie „GeoJSON“ als Typ.',
    ],
    refresh: 'Schalten Sie in den Eigenschaften der Ebene „Refresh interval“ ein.',
  },
  arcgisTable: {
    steps: [
      'Öffnen Sie in ArcGIS Online „Content“, „New item“, „URL“.',
      'Fügen Sie diese Adresse ein und wählen Sie „CSV“ als Typ.',
    ],
    refresh: 'Eine Ebene mit Adresse wird neu geholt, wenn die Karte geöffnet wird.',
  },
  qgis: {
    steps: [
      'Öffnen Sie „Layer“, „Add Layer“, „Add Vector Layer…“ und wählen Sie „Protocol: HTTP(S), cloud, etc.“.',
      'Fügen Sie diese Adresse als „URI“ ein und wählen Sie „Add“.',
    ],
    refresh: 'Die Datei wird bei jedem Öffnen des Projekts neu gelesen.',
  },
  qgisTable: {
    steps: [
      'Öffnen Sie „Layer“, „Add Layer“, „Add Vector Layer…“ und wählen Sie „Protocol: HTTP(S), cloud, etc.“.',
      'Fügen Sie diese Adresse als „URI“ ein und wählen Sie „Add“. Die Einträge kommen als Tabelle ohne Karte.',
    ],
    refresh: 'Die Datei wird bei jedem Öffnen des Projekts neu gelesen.',
  },
  formats: 'Alle Formate',
  formatsText: 'Jedes enthält alle Einträge.',
  reference: 'Alles, was die Programmierschnittstelle beantwortet',
}
