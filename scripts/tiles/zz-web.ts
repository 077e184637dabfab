import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { makeTiles } from '../tiles.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { mapStyle } from '#app/maps/style.ts'
const css=readFileSync('app/styles/tokens.css','utf8'); const tok=(n:string)=>new RegExp(`--${n}: (#[0-9a-f]+)`).exec(css)?.[1]??'#888'
const w=await build({stdin:{contents:`import { serveTiles } from './functions/tiles/serve.ts'
export default { async fetch(r, env){ const a=await serveTiles(r, env.TILES); if(a) return a; const p=new URL(r.url).pathname; const o=await env.TILES.get('web'+p.split('?')[0]); if(!o) return new Response('no',{status:404}); const h={'content-type':p.endsWith('js')?'text/javascript':p.endsWith('css')?'text/css':'text/html'}; return new Response(o.body,{headers:h}) } }`,resolveDir:process.cwd()},bundle:true,format:'esm',write:false})
const page=await build({stdin:{contents:`import * as ml from 'maplibre-gl'; import { Protocol } from 'pmtiles';
ml.setWorkerUrl('/worker.mjs'); ml.addProtocol('pmtiles', new Protocol().tile); const {style,view,values,source,level}=window.cfg;
const m=new ml.Map({container:'m',style,...view,fadeDuration:0,attributionControl:{compact:false}}); window.errors=[]; m.on('error',e=>window.errors.push(String(e.error)));
m.on('load',()=>{ if(values) for(const [id,value] of values) m.setFeatureState({source,sourceLayer:level,id},{value}) }); m.once('idle',()=>setTimeout(()=>{window.done=1},800))`,resolveDir:process.cwd()},bundle:true,format:'esm',write:false})
const mf=new Miniflare({modules:[{type:'ESModule',path:'i.js',contents:w.outputFiles[0]!.text}],compatibilityDate:'2026-04-01',r2Buckets:['TILES']}); const url=(await mf.ready).origin
const b=await mf.getR2Bucket('TILES')
const man=await makeTiles({get:async()=>null,put:async(k,x)=>{await b.put(k,new Uint8Array(x).buffer)}},console.log)
await b.put('web/app.js',page.outputFiles[0]!.text); await b.put('web/worker.mjs',readFileSync('node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs','utf8')); await b.put('web/ml.css',readFileSync('node_modules/maplibre-gl/dist/maplibre-gl.css','utf8'))
try{ for (const f of ['maplibre-gl-shared.mjs']) await b.put('web/'+f,readFileSync('node_modules/maplibre-gl/dist/'+f,'utf8')) }catch(e){console.log(String(e))}
const colours={water:tok('map-water'),land:tok('map-land'),line:tok('map-line'),label:tok('map-label'),halo:'#ffffff',missing:'#dddddd',data:'#bb4a15',onData:'#ffffff',sequential:[1,2,3,4,5,6,7].map(i=>tok('seq-'+i))}
const rows=await (await fetch(url+'/a/boundaries/us-counties.geojson')).json() as any; const sts=await (await fetch(url+'/a/boundaries/us-states.geojson')).json() as any
const val=(fs:any)=>fs.features.map((f:any,i:number)=>[f.properties.gid,(i*7919)%100])
const pts={type:'FeatureCollection',features:Array.from({length:5000},(_,i)=>({type:'Feature',properties:{},geometry:{type:'Point',coordinates:[-118.2+Math.sin(i*12.9898)*Math.cos(i)*.4,34.05+Math.cos(i*78.233)*Math.sin(i*3)*.3]}}))} as any
const base={sets:man.sets,origin:url,dark:false,colours,font:'DejaVu Sans',basemap:'world'}
const views:[string,any][]=[
['world',{style:mapStyle(base),view:{center:[0,20],zoom:1}}],
['antimeridian',{style:mapStyle(base),view:{center:[180,60],zoom:2.3}}],
['states',{style:mapStyle({...base,choropleth:{set:'us',level:'state',breaks:[20,40,60,80]}}),view:{center:[-97,38.5],zoom:3.3},values:val(sts),source:'set-us',level:'state'}],
['counties',{style:mapStyle({...base,choropleth:{set:'us',level:'county',breaks:[20,40,60,80]}}),view:{center:[-97,38.5],zoom:3.3},values:val(rows),source:'set-us',level:'county'}],
['counties7',{style:mapStyle({...base,choropleth:{set:'us',level:'county',breaks:[20,40,60,80]}}),view:{center:[-118.3,35],zoom:6.6},values:val(rows),source:'set-us',level:'county'}],
['points',{style:mapStyle({...base,points:{data:pts}}),view:{center:[-118.3,34.1],zoom:8.5}}],
]
const br=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox','--use-gl=angle','--use-angle=swiftshader','--enable-unsafe-swiftshader','--disable-background-networking']})
for(const [n,cfg] of views){const p=await br.newPage({viewport:{width:900,height:560}}); const ext:string[]=[]; p.on('request',r=>{if(!r.url().startsWith(url)&&!r.url().startsWith('blob:')&&!r.url().startsWith('data:'))ext.push(r.url())}); p.on('pageerror',e=>console.log('pageerror',e.message));p.on('console',m=>{if(m.type()==='error'||m.type()==='warning')console.log(n,m.text().slice(0,200))})
await b.put('web/'+n+'.html',`<!doctype html><link rel=stylesheet href=/ml.css><style>body{margin:0}#m{width:900px;height:560px}</style><div id=m></div><script>window.cfg=${JSON.stringify(cfg)}</script><script type=module src=/app.js></script>`)
await p.goto(url+'/'+n+'.html'); await p.waitForFunction('window.done',undefined,{timeout:60000}).catch(e=>console.log(n,'timeout')); console.log(n,await p.evaluate('window.errors'),ext); await p.screenshot({path:`/tmp/look/m-${n}.png`}); await p.close()}
await br.close(); await mf.dispose()
