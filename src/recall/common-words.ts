/** Common words: how usual a stem is in what agents and their users write, so that rare words weigh more. */

/**
 * One line for each class, the number first: stems that are in about one of 2^n messages, averaged over recordings of
 * coding, customer service and office work; names that belong to one project are left out.
 */
export const COMMON_WORDS = `
1 the to
2 and code command content file for id if in is it let name of on path type us user with you
3 add agent all ar as at bash be by can chang check claud cli cmd commit count creat current data descript
3 edit entir error execut fals first from get git go ha have log me messag mode my need new no none not now
3 onli or origin output process provid read return run session should src string test text that thi time
3 token tool true updat work workspac write your
4 about ad after an analysi ani annot answer assist avail base been befor behavior branch build but cach
4 call card cd checkpoint chunk class com complet config contain context continu date default destin detail
4 differ directori do doc document doe each end exampl exist exit fail featur find fix format found full
4 function gener github grep handl head help here html http import includ index inform input issu js json
4 kei last level like limit line link list ll local main make match max md model modifi mono more must null
4 number oh old option other packag param pass pattern pleas price project prompt py queri remov render
4 replac repo report requir reserv result root same search second segment server set show so specif start
4 state statu still strategi successfulli summari system task then titl total transcript try ts up wa we
4 what when which will without worktre would
5 access across action activ actual ai allow alreadi also alwai analyz api app append appli applic ask
5 assert auto back background basic between block both browser busi cancel cannot case cat clean color
5 combin comment compon comprehens configur confirm consid const convert core could css custom delet depend
5 design dev diff dir direct directli displai don done editor els empti enabl ensur entri env err exec
5 expect export extract fetch field filter final flag follow gradient high histori home hook how imag
5 implement improv info initi instead integr interact into item just keep know length lint llm load look mai
5 manag manual map markdown mcp mdx merg metadata method modul most ms multipl next non note object offset
5 ok onc open oper os out own page pars per perform plan point possibl pre present print proce progress
5 public push question rang re reason recommend refer refus remain repositori request research resolv
5 respons retriev review right round rout save scope script see select setup share shell short sinc singl
5 size skip some sourc stop structur style success support target templat termin than thei their them theme
5 there these three through timeout top track trip two url usag valid valu var verifi version via view wai
5 want warn web websit whenev where whether while window within word workflow ye
6 ab abov absolut accept accur addit address against aggreg align anoth appear approach appropri architectur
6 arg arrai arriv artifact async attribut author automat avoid await becaus below best better bin binari
6 bodi bool boolean break bug bui built button byte ca calcul captur charact child ci cleanup clear close
6 collaps collect common compact compar compat composit comput condit conflict control convers copi copilot
6 correct correctli cost cover creation cross cycl dai dataset dc de debug def detect develop disabl doesn
6 duplic dure echo edg either element email emit encod engin environ escap etc evalu even event everi
6 everyth exact exactli expand experi explain explicit explicitli extern face failur fall fallback ff
6 filenam flow font forc form free further gate give given global good great group handler happen hash
6 header helper hour href hub human identifi ignor indic init insert insid instal instruct int interfac
6 intern invalid invok io itself join jsonl la label languag larg latest left len linear live locat logic
6 long loop ls machin mark mean medium member might miss mock move multi navig never node normal noth npm
6 off order otherwis over overrid overview parallel paramet parent part patch pend perfect persist place
6 plain platform plu plugin polici posit post power pr prefer prefix preserv preview previou primari privat
6 product profil promis properti pull python qualiti queue rate rather raw readi readm real recent record
6 ref refactor regular rel relat relev remot reset restor resum rewrit row rule safe safeti schedul schema
6 section selector self send separ serv sh shadow side simpl skill snippet sort space specifi split stage
6 stai stat static step store str stream strict subag such suit sure svg switch sync tab tabl tag tail take
6 temp temporari think those tif timestamp tmp toggl toml touch tree truncat turn txt ui under understand
6 unknown unless upgrad utf util variabl ve verif visibl vs wait well were why width writer written www
6 yield zero
7 aa ac adjust advanc ae af affect ag again altern anthrop anyth approv area argument around asset attempt
7 ba backward bc bd becom benchmark blob border bottom boundari box budget buffer bundl caller capabl carri
7 catch categori caus cb cc ce center chain channel char chat checkout children click client co codebas come
7 commun comparison compil complex concern concurr connect consist consol constant constraint consum convent
7 coordin cp critic cursor cwd da dark databas db dd decid decis deep defer defin definit delai deleg deprec
7 deriv describ determin devic df did discard discov discuss div domain down download drop due durat ea
7 earli eb ec ed ef effect effici enough enter eof equal examin except expans explor expos express extend
7 extens extra fact famili fast fb fc fd fe feat feedback filesystem fill finish fire five fixtur float focu
7 folder forward four fresh fulli futur gap gh gitignor glob got green guid hand har hard health height hi
7 hidden hide highlight hit hold howev ident immedi independ individu inlin inspect intent isn isol
7 javascript job jq kept keyword knowledg known later launch layer layout lead learn leav li lib librari
7 light listen lock login longer low lower made maintain major mani manifest margin master maximum measur
7 mechan memori mention metric mid migrat min minim mkdir modern monitor msg much music nativ natur nav
7 nconst nest network nimport notic notif notifi npx onelin opt optim org organ our outsid owner pad pai
7 parser partial past payload permiss phase pick placehold plumb potenti practic prepar prevent prioriti
7 proactiv problem produc proper properli publish purpos px quick quot radiu reach readabl reader receiv red
7 redact reduc referenc regardless regex regist registri reject releas reliabl renam repeat repli repres
7 resolut respond rest reus risk rm role runtim sai sampl scale scenario screen secur seem semant sequenc
7 servic sever sha shape shift ship silent simplifi simultan site slash slice small solid solut someth span
7 spawn spec special stale standard stderr stdin stdout storag strip sub subject submit suggest summar
7 surfac syntax team technic tell term tfor thing thread threshold tier timelin todai too topic trace trail
7 transform transit treat treturn trigger trim trust typic undefin uniqu unit until untrack uuid uv vercel
7 veri visual week weight white whole win world wrap wrong wrote yet yml zip
`;
