/** Actions that read business or customer data. One service a line; an indented line continues it. */
export const dataAccessActions = `
aoss: APIAccessAll DashboardsAccessAll
athena: GetQueryExecution GetQueryResults GetQueryResultsStream GetSession
cassandra: Select
chatbot: DescribeSlackChannels DescribeSlackUserIdentities GetMicrosoftTeamsOauthParameters
  GetSlackOauthParameters ListMicrosoftTeamsConfiguredTeams ListMicrosoftTeamsUserIdentities
chime: GetAttendee GetChannelMessage GetMeeting GetMeetingDetail GetRoom GetUser
  GetUserActivityReportData GetUserByEmail GetUserSettings ListAttendees ListMeetingEvents
  ListMeetings ListUsers
cleanrooms: GetProtectedQuery
cloudformation: GetTemplate
cloudfront: GetFunction
codeartifact: GetPackageVersionAsset GetPackageVersionReadme ReadFromRepository
codecommit: GitPull
cognito-identity: LookupDeveloperIdentity
cognito-idp: AdminGetDevice AdminGetUser AdminListDevices AdminListGroupsForUser
  AdminListUserAuthEvents DescribeUserPoolClient GetDevice GetGroup GetUser
  GetUserAttributeVerificationCode ListDevices ListGroups ListUsers
cognito-sync: ListRecords QueryRecords
connect: ListUsers
datapipeline: QueryObjects
dax: BatchGetItem GetItem Query Scan
dynamodb: BatchGetItem GetItem GetRecords Query Scan
ebs: GetSnapshotBlock
ec2: GetConsoleScreenshot
ecr: GetDownloadUrlForLayer
es: ESHttpGet
gamelift: GetGameSessionLogUrl GetInstanceAccess
healthlake: ReadResource SearchWithGet SearchWithPost
kendra: Query
kinesis: GetRecords SubscribeToShard
kinesisvideo: GetImages GetMedia
kms: Decrypt
lambda: GetFunction GetLayerVersion
lightsail: GetContainerImages
logs: FilterLogEvents GetLogEvents GetLogRecord GetQueryResults Unmask
macie2: GetFindings
mediastore: GetObject
neptune-db: ReadDataViaQuery
qldb: GetBlock
rds-data: BatchExecuteStatement ExecuteStatement
rds: DownloadCompleteDBLogFile DownloadDBLogFilePortion
redshift-data: BatchExecuteStatement ExecuteStatement
robomaker: GetWorldTemplateBody
s3-object-lambda: GetObject GetObjectVersion ListBucket
s3: GetDataAccess GetObject GetObjectVersion
s3tables: GetTableData
s3vectors: GetVectors QueryVectors
sagemaker: Search
sdb: Select
serverlessrepo: GetApplication GetCloudFormationTemplate
sqs: ReceiveMessage
ssm: GetDocument GetParameter GetParameterHistory GetParameters GetParametersByPath
sso-directory: DescribeGroup DescribeUser ListBearerTokens SearchGroups SearchUsers
sso: SearchGroups SearchUsers
storagegateway: DescribeChapCredentials
workdocs: GetDocument GetDocumentPath GetDocumentVersion
`;
