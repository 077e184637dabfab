import type { GuideTexts } from '../guide.ts'

export const guide: GuideTexts = {
  title: 'Utiliser «\u00a0{name}\u00a0»',
  intro: 'Des adresses et des exemples pour ces données précisément. Ni compte ni clé ne sont nécessaires.',
  menus: 'Les menus portent leur nom des versions anglaises des outils.',
  programs: 'Dans un programme',
  programsText:
    'Chaque exemple récupère tous les enregistrements et n’a besoin de rien d’autre que du langage lui-même.',
  curl: 'Enregistre toutes les données dans un fichier CSV.',
  python: 'Si pandas est installé, pandas.read_csv lit la même adresse.',
  r: 'Lit tous les enregistrements dans un data frame.',
  console: 'Essayer ici',
  consoleText: 'Demande les enregistrements comme le fait un programme et affiche la réponse telle quelle.',
  limit: 'Nombre maximal d’enregistrements',
  search: 'Enregistrements qui contiennent',
  run: 'Envoyer la requête',
  answer: 'Réponse {status}\u00a0: {rows} enregistrements sur {total}, en {ms} ms',
  failedAnswer: 'Réponse {status}, en {ms} ms',
  unreachable: 'Aucune réponse n’est arrivée. Vérifiez votre connexion et réessayez.',
  tools: 'Dans un outil',
  excel: {
    steps: [
      'Ouvrez «\u00a0Data\u00a0», «\u00a0Get Data\u00a0», «\u00a0From Other Sources\u00a0», «\u00a0Blank Query\u00a0», puis «\u00a0Advanced Editor\u00a0».',
      'Remplacez le contenu par ces lignes et choisissez «\u00a0Done\u00a0».',
      'Si Excel demande comment se connecter, choisissez «\u00a0Anonymous\u00a0», puis «\u00a0Close & Load\u00a0».',
    ],
    refresh: '«\u00a0Refresh All\u00a0» récupère de nouveau les enregistrements.',
  },
  sheets: {
    steps: ['Ouvrez une feuille vide.', 'Collez cette formule dans la cellule A1.'],
    refresh:
      'Une feuille ouverte récupère le fichier environ toutes les heures. Une feuille de calcul contient au plus 10 millions de cellules.',
  },
  powerbi: {
    steps: [
      'Dans Power BI Desktop, choisissez «\u00a0Get data\u00a0», «\u00a0Blank query\u00a0», puis «\u00a0Advanced editor\u00a0».',
      'Remplacez le contenu par ces lignes et choisissez «\u00a0Done\u00a0».',
      'À la question sur la connexion, choisissez «\u00a0Anonymous\u00a0».',
    ],
    refresh: 'L’actualisation planifiée du service Power BI fonctionne sans passerelle.',
  },
  tableau: {
    steps: [
      'Téléchargez le fichier à cette adresse.',
      'Choisissez «\u00a0Connect\u00a0», «\u00a0To a File\u00a0»\u00a0: «\u00a0Spatial file\u00a0» pour GeoJSON, «\u00a0Text file\u00a0» pour CSV.',
    ],
    refresh: 'Téléchargez de nouveau le fichier à la place de l’ancien et actualisez l’extrait.',
  },
  arcgis: {
    steps: [
      'Dans Map Viewer, ouvrez «\u00a0Layers\u00a0», «\u00a0Add\u00a0», «\u00a0Add layer from URL\u00a0».',
      'Collez cette adresse et choisissez le type «\u00a0GeoJSON\u00a0».',
    ],
    refresh: 'Activez «\u00a0Refresh interval\u00a0» dans les propriétés de la couche.',
  },
  arcgisTable: {
    steps: [
      'Dans ArcGIS Online, ouvrez «\u00a0Content\u00a0», «\u00a0New item\u00a0», «\u00a0URL\u00a0».',
      'Collez cette adresse et choisissez le type «\u00a0CSV\u00a0».',
    ],
    refresh: 'Une couche désignée par son adresse est récupérée de nouveau à l’ouverture de la carte.',
  },
  qgis: {
    steps: [
      'Ouvrez «\u00a0Layer\u00a0», «\u00a0Add Layer\u00a0», «\u00a0Add Vector Layer…\u00a0» et choisissez «\u00a0Protocol: HTTP(S), cloud, etc.\u00a0».',
      'Collez cette adresse dans «\u00a0URI\u00a0» et choisissez «\u00a0Add\u00a0».',
    ],
    refresh: 'Le fichier est relu à chaque ouverture du projet.',
  },
  qgisTable: {
    steps: [
      'Ouvrez «\u00a0Layer\u00a0», «\u00a0Add Layer\u00a0», «\u00a0Add Vector Layer…\u00a0» et choisissez «\u00a0Protocol: HTTP(S), cloud, etc.\u00a0».',
      'Collez cette adresse dans «\u00a0URI\u00a0» et choisissez «\u00a0Add\u00a0». Les enregistrements forment une table sans carte.',
    ],
    refresh: 'Le fichier est relu à chaque ouverture du projet.',
  },
  formats: 'Tous les formats',
  formatsText: 'Chacun contient tous les enregistrements.',
  reference: 'Référence complète de l’API',
}
