/**
 * Actions that hand out, create or reset credentials. One service a line; an indented line continues it.
 *
 * Not here: `secretsmanager:BatchGetSecretValue`, which has no resource types and returns only secrets that
 * `secretsmanager:GetSecretValue` allows
 * (https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_BatchGetSecretValue.html).
 */
export const credentialExposureActions = `
acm: ExportCertificate
airflow: CreateCliToken CreateWebLoginToken
appstream: CreateStreamingURL
appsync: GetDataSource GetFunction ListApiKeys
bedrock-agentcore: GetResourceApiKey GetResourceOauth2Token GetWorkloadAccessToken
  GetWorkloadAccessTokenForJWT GetWorkloadAccessTokenForUserId
chime: CreateApiKey PutVoiceConnectorTerminationCredentials
cloud9: CreateEnvironmentSSH CreateEnvironmentToken
codeartifact: GetAuthorizationToken
codebuild: ImportSourceCredentials
cognito-identity: GetCredentialsForIdentity GetId GetOpenIdToken
  GetOpenIdTokenForDeveloperIdentity
connect: AdminGetEmergencyAccessToken GetFederationToken ListSecurityKeys
ds: ResetUserPassword
dsql: DbConnect DbConnectAdmin
ec2-instance-connect: SendSerialConsoleSSHPublicKey SendSSHPublicKey
ec2: GetPasswordData
ecr-public: GetAuthorizationToken
eks-auth: AssumeRoleForPodIdentity
elasticmapreduce: GetClusterSessionCredentials
gamelift: GetComputeAuthToken RequestUploadCredentials
grafana: CreateWorkspaceApiKey CreateWorkspaceServiceAccountToken
iam: CreateAccessKey CreateLoginProfile CreateServiceSpecificCredential
  ResetServiceSpecificCredential UpdateAccessKey UploadSSHPublicKey
lightsail: CreateBucketAccessKey DownloadDefaultKeyPair GetBucketAccessKeys
  GetInstanceAccessDetails GetKeyPair GetKeyPairs GetRelationalDatabaseMasterUserPassword
mediapackage: RotateChannelCredentials RotateIngestEndpointCredentials
mq: CreateUser UpdateUser
redshift-serverless: GetCredentials
redshift: CreateClusterUser GetClusterCredentials GetClusterCredentialsWithIAM
route53domains: RetrieveDomainAuthCode
s3express: CreateSession
secretsmanager: GetSecretValue
signin: CreateOAuth2Token
snowball: GetJobUnlockCode
sso-directory: CreateBearerToken
sts: AssumeRoleWithSAML AssumeRoleWithWebIdentity AssumeRoot GetDelegatedAccessToken
  GetFederationToken GetServiceBearerToken GetSessionToken GetWebIdentityToken
`;
