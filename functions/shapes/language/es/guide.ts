import type { GuideTexts } from '../guide.ts'

export const guide: GuideTexts = {
  title: 'Usar «{name}»',
  intro: 'Direcciones y ejemplos para exactamente estos datos. No hace falta ni cuenta ni clave.',
  menus: 'Los menús se nombran como en las versiones en inglés de las herramientas.',
  programs: 'En un programa',
  programsText: 'Cada ejemplo obtiene todos los registros y no necesita nada más que el propio lenguaje.',
  curl: 'Guarda todos los registros en un archivo CSV.',
  python: 'Si tiene pandas instalado, pandas.read_csv lee la misma dirección.',
  r: 'Lee todos los registros en un data frame.',
  console: 'Pruébelo aquí',
  consoleText: 'Pide los registros como lo hace un programa y muestra la respuesta tal como llega.',
  limit: 'Número máximo de registros',
  search: 'Registros que contienen',
  run: 'Enviar la petición',
  answer: 'Respuesta {status}: {rows} de {total} registros, en {ms} ms',
  failedAnswer: 'Respuesta {status}, en {ms} ms',
  unreachable: 'No llegó ninguna respuesta. Compruebe su conexión e inténtelo de nuevo.',
  tools: 'En una herramienta',
  excel: {
    steps: [
      'Abra «Data», «Get Data», «From Other Sources», «Blank Query» y después «Advanced Editor».',
      'Sustituya lo que haya por estas líneas y elija «Done».',
      'Si Excel pregunta cómo conectarse, elija «Anonymous»; después, «Close & Load».',
    ],
    refresh: '«Refresh All» vuelve a obtener los registros.',
  },
  sheets: {
    steps: ['Abra una hoja vacía.', 'Pegue esta fórmula en la celda A1.'],
    refresh:
      'Una hoja abierta vuelve a obtener el archivo más o menos cada hora. Una hoja de cálculo admite como máximo 10 millones de celdas.',
  },
  powerbi: {
    steps: [
      'En Power BI Desktop elija «Get data», «Blank query» y después «Advanced editor».',
      'Sustituya lo que haya por estas líneas y elija «Done».',
      'Cuando pregunte cómo conectarse, elija «Anonymous».',
    ],
    refresh: 'La actualización programada del servicio Power BI funciona sin puerta de enlace.',
  },
  tableau: {
    steps: [
      'Descargue el archivo de esta dirección.',
      'Elija «Connect», «To a File»: «Spatial file» para GeoJSON, «Text file» para CSV.',
    ],
    refresh: 'Descargue de nuevo el archivo sobre el anterior y actualice el extracto.',
  },
  arcgis: {
    steps: [
      'En Map Viewer abra «Layers», «Add», «Add layer from URL».',
      'Pegue esta dirección y elija «GeoJSON» como tipo.',
    ],
    refresh: 'Active «Refresh interval» en las propiedades de la capa.',
  },
  arcgisTable: {
    steps: [
      'En ArcGIS Online abra «Content», «New item», «URL».',
      'Pegue esta dirección y elija «CSV» como tipo.',
    ],
    refresh: 'Una capa por su dirección se vuelve a obtener al abrir el mapa.',
  },
  qgis: {
    steps: [
      'Abra «Layer», «Add Layer», «Add Vector Layer…» y elija «Protocol: HTTP(S), cloud, etc.».',
      'Pegue esta dirección como «URI» y elija «Add».',
    ],
    refresh: 'El archivo se vuelve a leer cada vez que se abre el proyecto.',
  },
  qgisTable: {
    steps: [
      'Abra «Layer», «Add Layer», «Add Vector Layer…» y elija «Protocol: HTTP(S), cloud, etc.».',
      'Pegue esta dirección como «URI» y elija «Add». Los registros llegan como una tabla sin mapa.',
    ],
    refresh: 'El archivo se vuelve a leer cada vez que se abre el proyecto.',
  },
  formats: 'Todos los formatos',
  formatsText: 'Cada uno contiene todos los registros.',
  reference: 'Referencia completa de la API',
}
