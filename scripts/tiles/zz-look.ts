import { staticMap } from '#app/maps/static-map.ts'
import { makeTiles } from '#scripts/tiles.ts'
import { writeFileSync, readFileSync, mkdirSync, existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
const dir='/tmp/tiles/'
await makeTiles({get:async k=>existsSync(dir+k)?readFileSync(dir+k):null,put:async(k,b)=>{mkdirSync(dir+k.split('/').slice(0,-1).join('/'),{recursive:true});writeFileSync(dir+k,b)}},console.log)
const load=(n:string)=>JSON.parse(readFileSync(dir+'boundaries/'+n+'.geojson','utf8'))
const states=load('us-states'),counties=load('us-counties'),world=load('world-countries')
let seed=1; const rnd=()=>(seed=(seed*1103515245+12345)%2147483648)/2147483648
const f=new Intl.NumberFormat('en',{maximumFractionDigits:1}); const legend={format:(n:number)=>f.format(n),unit:'per 1,000'}
const c0=(g:any)=>{let p=g.coordinates;while(typeof p[0][0]!=='number')p=p[0];return p[0]}
const out:[string,ReturnType<typeof staticMap>][]=[]
const run=(n:string,o:any)=>{const t=performance.now();const m=staticMap({title:n,description:'d',legend,...o,id:n.replace(/\W/g,'')});console.log(n,m.svg.length,gzipSync(m.svg).length,Math.round(performance.now()-t)+'ms',JSON.stringify(m.legend).slice(0,500));out.push([n,m])}
const usv=new Map(states.features.map((x:any)=>[x.properties.gid,rnd()>.95?null:Math.round(rnd()*rnd()*10000)]))
run('US states',{shapes:states,values:usv,width:960,height:600,projection:'albersUsa'})
run('Counties random',{shapes:counties,values:new Map(counties.features.map((x:any)=>[x.properties.gid,rnd()*100])),width:960,height:600,projection:'albersUsa'})
run('Counties smooth',{shapes:counties,outline:states,values:new Map(counties.features.map((x:any)=>{const c=c0(x.geometry);return [x.properties.gid,rnd()>.98?null:Math.sin(c[0]/8)*20+Math.cos(c[1]/4)*20+50+rnd()*8]})),width:960,height:600,projection:'albersUsa'})
run('World',{shapes:world,values:new Map(world.features.map((x:any)=>[x.properties.gid,rnd()>.9?null:rnd()**4*1e6])),width:960,height:480,projection:'equalEarth'})
const la={type:'FeatureCollection',features:counties.features.filter((x:any)=>x.properties.gid==='us-county-06037')}
const pts=Array.from({length:40000},()=>({lon:-118.3+(rnd()+rnd()+rnd()-1.5)*.5,lat:34.1+(rnd()+rnd()+rnd()-1.5)*.5}))
run('LA 40k points',{shapes:la,points:pts,width:720,height:560})
run('LA 40 points',{shapes:la,points:pts.slice(0,40).map((p,i)=>({...p,label:'Place <'+i+'>'})),width:720,height:560})
const ca={type:'FeatureCollection',features:states.features.filter((x:any)=>x.properties.gid==='us-state-06')}
run('LA in California',{shapes:la,outline:ca,values:new Map([['us-county-06037',1]]),width:400,height:440})
run('One point',{shapes:{type:'FeatureCollection',features:[]},points:[{lon:2.35,lat:48.85}],width:400,height:300})
run('Points no shapes',{shapes:{type:'FeatureCollection',features:[]},outline:states,points:pts.slice(0,2000).map(p=>({lon:-100+(p.lon+118.3)*40,lat:p.lat+4,value:rnd()*100})),projection:'albersUsa',width:720,height:460})
run('Alaska mercator',{shapes:{type:'FeatureCollection',features:states.features.filter((x:any)=>x.properties.gid==='us-state-02')},width:720,height:400})
const css=readFileSync('/work/main/app/styles/tokens.css','utf8')
for(const theme of ['light','dark']) writeFileSync(`/tmp/look/${theme}.html`,`<!doctype html><html class="${theme}-theme" data-theme="${theme}"><style>${css}\nbody{margin:0;background:var(--surface);color:var(--text);font:14px sans-serif;display:grid;grid-template-columns:1fr 1fr;gap:8px}h3{margin:4px}</style>${out.map(([n,m])=>`<div><h3>${n}</h3>${m.svg}<p>${m.legend.classes.map(c=>`<svg width=26 height=26><${c.radius?`circle cx=13 cy=13 r=${Math.min(13,c.radius)}`:'rect width=20 height=14'} fill="${c.fill}"/></svg> ${c.label} &nbsp;`).join('')}</p></div>`).join('')}`)
